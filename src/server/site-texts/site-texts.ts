export {
  FIRST_FACTS,
  isBrandWritten,
  ownerAddress,
  readBrand,
  readFacts,
  senderAddress,
} from './facts.ts'
export { readTexts } from './interface-texts.ts'
export { findLogo } from './logos.ts'
export { presentPage, readEmptyPages, shippedPage } from './pages.ts'
export { acceptTerms, type Consent, consentTo } from './terms.ts'
