import { fontCss, officeFontCss } from './fonts/faces.ts'
import layers from './layers.css?inline'

/** The style sheet that opens the head of every page; the policy allows it by its hash. */
export const headCss = layers + fontCss

/** The same for the pages of the office. */
export const officeHeadCss = layers + officeFontCss
