import { deskFontCss, fontCss } from './fonts/faces.ts'
import layers from './layers.css?inline'

/** The style sheet that opens the head of every page; the policy allows it by its hash. */
export const headCss = layers + fontCss

/** The same for pages that leave phones in their own letters: the office's, the reader. */
export const deskHeadCss = layers + deskFontCss
