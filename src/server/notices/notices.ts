// The public interface of notices to administrators: the rest of the server imports only this file.

export { noticeMailWriter } from './notice-mail.ts'
export { tellAdministrators } from './tell.ts'
