// The public interface of the library: the rest of the server imports only this file.

export { checkedPdf } from './pages/pictures.ts'
export { mergeReadings } from './reading.ts'
export { makeSamples, SAMPLES_EVERY_MS } from './samples/make-samples.ts'
export { removeLostSamples } from './samples/sample.ts'
export { mergeShelves } from './shelves.ts'
export { signPreview } from './signed-links.ts'
export { normalisedPicture } from './uploaded-pictures.ts'
export { announceVersion, mailVersions, versionMailWriter } from './version-mails.ts'
