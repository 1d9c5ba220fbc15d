// The script of the shop's pages, one file for all of them, which `early.ts` requests once a page
// is painted.
import './frame.ts'
import '../islands/intent/register.ts'
import '../islands/intent/island.ts'
import './catch-up.ts'
import './first-font.ts'
