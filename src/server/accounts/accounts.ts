export { blockUser, blockWithin, unblockUser } from './blocking.ts'
export { readContactChange } from './contact-changes.ts'
export { type Ended, endSessions, readEnded, SESSIONS_CHANNEL } from './ended-sessions.ts'
export { foldEmail } from './log-in.ts'
export { endLogIn, endOtherLogIns, listLogIns } from './log-ins.ts'
export { sendResetLink } from './password-resets.ts'
export { createPasswords } from './passwords.ts'
export { makeReadCode, requireReadable } from './phone-codes.ts'
export {
  INVITATION_LIFETIME_MS,
  type Invited,
  inviteAgain,
  inviteStaff,
  inviteWithin,
  mailInvitation,
  withdrawInvitation,
} from './staff/invitations.ts'
export { endAllSessions, requireProof } from './staff/office-log-in.ts'
export { countStoppedFactors, readSecondFactor, resetSecondFactor } from './staff/second-factors.ts'
