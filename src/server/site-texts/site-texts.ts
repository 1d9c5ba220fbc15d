export { readBrand, readFacts, senderAddress } from './facts.ts'
export { readTexts } from './interface-texts.ts'
export { findLogo } from './logos.ts'
export { firstPage, presentPage } from './pages.ts'
