export { mergeRooms, shopAccount } from './rooms.ts'
export type { ChatSettings } from './session.ts'
export { openSockets } from './sockets.ts'
