// The public interface of the library: the rest of the server imports only this file.

export { BadPicture, normaliseCover, normalisePortrait } from './normalise-picture.ts'
export {
  createRenderer,
  ExhaustingPdf,
  type Renderer,
  RendererBusy,
  UnreadablePdf,
} from './pages/renderer.ts'
export { signPreview } from './reading/preview-link.ts'
export { mergeReadings } from './reading/readings.ts'
export { announceVersion, mailVersions, versionMailWriter } from './reading/version-mails.ts'
export { removeLostSamples } from './samples/lost-samples.ts'
export { makeSamples, SAMPLES_EVERY_MS } from './samples/make-samples.ts'
export { listUndrawn, retryUndrawn } from './samples/undrawn.ts'
export { mergeShelves } from './shelves/shelves.ts'
export { isStamping, switchStamping } from './stamps/switch.ts'
export { listUnstamped, retryUnstamped } from './stamps/unstamped.ts'
