export type { Writers, Written, WrittenMail } from './deliver.ts'
export { accountLetter, type Fact, letter, type Part } from './letter.ts'
export {
  confirmEmailMail,
  contactLinkMail,
  contactToldMail,
  emailKnownMail,
  RESET_LINK_LIFETIME_MS,
  resetMail,
} from './link-mails.ts'
export { enqueueMail, type MailData, type Reader, tellTeam } from './queue.ts'
export { placeOf, readMailState, sendGivenUpAgain, sendTestMail } from './state.ts'
export { hasTextsLeft, sendText, shortMessage } from './text-messages.ts'
