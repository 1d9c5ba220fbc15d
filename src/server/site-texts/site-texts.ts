// The public interface of the shop's facts, pages and texts, which administrators edit: the rest of
// the server imports only this file.

export { readBrand, readFacts, senderAddress } from './facts.ts'
export { readTexts } from './interface-texts.ts'
export { findLogo } from './logos.ts'
export { firstPage, presentPage } from './pages.ts'
