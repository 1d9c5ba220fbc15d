import { desktopFontCss, fontCss } from './fonts/faces.ts'
import layers from './layers.css?inline'

/** The style sheet at the beginning of every page's head; the CSP allows it by its hash. */
export const headCss = layers + fontCss

/** The same for pages that use a phone's own font: those of the office, and the reader. */
export const desktopHeadCss = layers + desktopFontCss
