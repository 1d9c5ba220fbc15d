// The face of mail: the rest of the server uses only this.

export { confirmEmailMail } from './confirm-email-mail.ts'
export type { Mail, Writers } from './deliver.ts'
export { type Fact, letter, type Part } from './letter.ts'
export { chatMailTexts, mailTexts } from './mail-texts.ts'
export { enqueueMail, type MailData } from './queue.ts'
export { RESET_LINK_LIFETIME_MS, resetMail } from './reset-mail.ts'
