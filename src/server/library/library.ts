// The public interface of the library: the rest of the server imports only this file.

export { normalisedPicture } from './drawn-pictures.ts'
export { checkedPdf } from './pages/pictures.ts'
export { signPreview } from './reading/preview-link.ts'
export { mergeReadings } from './reading/readings.ts'
export { announceVersion, mailVersions, versionMailWriter } from './reading/version-mails.ts'
export { removeLostSamples } from './samples/lost-samples.ts'
export { makeSamples, SAMPLES_EVERY_MS } from './samples/make-samples.ts'
export { mergeShelves } from './shelves/shelves.ts'
