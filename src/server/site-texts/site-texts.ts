// The public interface of the shop's facts, pages and texts, which administrators edit: the rest of
// the server imports only this file.

export { readBrand, readFacts, saveFacts, senderAddress } from './facts.ts'
export { findText, findTexts } from './find-texts.ts'
export { firstPage } from './first-pages.ts'
export { restoreVersion } from './history.ts'
export { readTexts, saveInterfaceText, textSubject } from './interface-texts.ts'
export { findLogo } from './logos.ts'
export { pageOf, presentPage, saveSitePage } from './pages.ts'
