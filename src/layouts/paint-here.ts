// Inlined by `virtual:karras/paint-here` at the end of each part of the page that shows what the
// browser remembers of the visitor.
import { PAINT_EVENT } from '../rules/storage-keys.ts'

document.dispatchEvent(new Event(PAINT_EVENT))
