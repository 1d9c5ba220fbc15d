// The script that answers the visitor's touches, one file for all pages, which `early.ts` requests
// at the first sign of an intent.
import './touches.ts'
import './catch-up.ts'
