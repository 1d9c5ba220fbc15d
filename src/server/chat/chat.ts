// The public interface of chat: the rest of the server imports only this file.

export { shopAccount } from './inbox.ts'
export { mergeRooms } from './merge-rooms.ts'
export type { ChatSettings } from './settings.ts'
export { openSockets } from './sockets.ts'
