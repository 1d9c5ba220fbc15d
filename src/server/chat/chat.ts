// The public interface of chat: the rest of the server imports only this file.

export { mergeRooms, shopAccount } from './rooms.ts'
export type { ChatSettings } from './session.ts'
export { openSockets } from './sockets.ts'
