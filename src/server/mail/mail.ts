// The public interface of mail: the rest of the server imports only this file.

export type { Writers, WrittenMail } from './deliver.ts'
export { type Fact, letter, type Part } from './letter.ts'
export { confirmEmailMail, RESET_LINK_LIFETIME_MS, resetMail } from './link-mails.ts'
export { enqueueMail, type MailData } from './queue.ts'
export { placeOf, readMailState, sendGivenUpAgain, sendTestMail } from './state.ts'
