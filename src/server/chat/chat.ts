// The public interface of chat: the rest of the server imports only this file.

export { addCannedAnswer, changeCannedAnswer, readCannedAnswers } from './canned-answers.ts'
export {
  answerConversation,
  closeConversation,
  type Handling,
  handBackConversation,
  takeConversation,
} from './hold.ts'
export { shopAccount, shopName } from './inbox.ts'
export { mergeRooms } from './merge-rooms.ts'
export { type MessageRow, readMessages } from './messages.ts'
export { questionsAbout } from './questions.ts'
export type { ChatSettings } from './settings.ts'
export { openSockets } from './sockets.ts'
