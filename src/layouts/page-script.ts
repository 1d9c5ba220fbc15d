// The script of the frame of the shop's pages, one file for all of them, which `early.ts` requests
// once a page is painted.
import './frame.ts'
import './first-font.ts'
