import { expect, test } from 'vitest'
import { CALLS } from '../../src/contract/index.ts'
import { SHOP_ACTIONS } from '../support/actions.ts'
import { OFFICE_ACTIONS } from '../support/office-actions.ts'
import { SCENES } from '../support/scenes/scenes.ts'
import { read, sourceFiles } from './source.ts'

// A message that is only written into the page may be a thousand pixels away from its reader.
// `parts/Message.tsx` brings it into view and keeps the focus; what stands in place of a part that could
// not be loaded needs neither.
const INSTEAD = /error-state|reader__missing|save-state/

test('what answers an action is a message that comes into view', () => {
  const bare = sourceFiles(/^src\/(?:islands|office)\/.*\.tsx$/)
    .filter((file) => !file.endsWith('parts/Message.tsx'))
    .flatMap((file) =>
      [...read(file).matchAll(/<\w+[^<>]*?role="alert"[^<>]*>/g)]
        .map(([element]) => element)
        .filter((element) => !INSTEAD.test(element) && !element.includes('ref='))
        .map((element) => `${file}: ${element}`),
    )
  expect(bare).toEqual([])
})

test('each action that is tried names a call, and a scene or the page that it opens', () => {
  const scenes = new Set(SCENES.map(({ name }) => name))
  const wrong = [...SHOP_ACTIONS, ...OFFICE_ACTIONS].filter(
    ({ call, scene, open }) => !CALLS[call] || (scene ? !scenes.has(scene) : !open),
  )
  expect(wrong.map(({ what }) => what)).toEqual([])
})

/** Calls that change something, but answer no press of a button. */
const OF_THEMSELVES = [
  // What this browser has already shown; the server is told, and asked again later.
  ...['addToCart', 'removeFromCart', 'clearCart', 'clearAnonymousCart', 'addToWishlist', 'logOut'],
  // What was read, where one is, what is being typed.
  ...['markRead', 'markConversationRead', 'markNewsSeen', 'keepPlace'],
  ...['previewSitePage', 'readInvitation'],
  // A visit, as the page begins.
  'countLinkVisit',
  // Sent when there is a network.
  'putMark',
  // A page that begins with it, and says itself that it failed; a form that saves what is typed.
  ...['createOwnDocument', 'createCorrection', 'previewOwnFacts', 'saveOwnDocument'],
  // The form of a rating adds it again.
  'changeRating',
]

/** Calls of a control that another call's row tries. */
const BY_THE_CONTROL_OF: Readonly<Record<string, readonly string[]>> = {
  createOrder: ['initiatePayment'],
  payFromWallet: ['directPay'],
  sendMessage: ['answerConversation'],
  changeEmail: ['changePhone'],
  askForDeletion: ['askForDeletionOf'],
  keepAccount: ['keepAccountOf'],
  endSessionsOf: ['inviteAgain', 'withdrawInvitation', 'resetSecondFactorOf'],
  blockPerson: ['unblockPerson', 'readOutCode'],
  startSecondFactor: ['renewRecoveryCodes', 'turnOffSecondFactor'],
  confirmTransfer: ['bookDifference', 'closeDifference'],
  recordTeacherPayout: ['requestPayout'],
  setCommission: ['setPayoutTerms', 'setWithholding'],
  closeConversation: ['handBackConversation'],
  takeDownReported: ['putBackReported'],
  hideRating: [
    'showRating',
    'undoBulkChange',
    'undoOwnFacts',
    'removeAnswer',
    'restoreSiteVersion',
    'publishTerms',
  ],
  saveSitePage: ['changeEntry'],
  waitForCorrection: ['stopWaiting'],
  unfollow: ['follow'],
  createOwnCode: ['createCode', 'stopCode', 'stopOwnCode'],
  setBundlePrice: ['createBundle', 'stopBundle', 'stopSharedBundle'],
  offerBundle: ['changeSharedBundle'],
  saveContact: ['saveBank', 'saveBrand', 'saveCommunity', 'saveD17', 'saveLegal'],
  unpublishOwnDocument: [
    ...['deleteOwnDocument', 'publishOwnDocument', 'submitOwnDocument', 'withdrawOwnDocument'],
  ],
}

/** Calls of what the demo shop lacks: text messages, invoices, failed mails, files to upload. */
const NOT_IN_THE_DEMO_SHOP = [
  ...['confirmNewPhone', 'requestInvoice', 'issueInvoice', 'returnMoney', 'sendMailsAgain'],
  ...['askAboutPayment', 'cancelPayout', 'setVersionNote'],
  ...['openUpload', 'sendPart', 'finishUpload', 'cancelUpload', 'uploadLogo', 'setOwnPicture'],
  ...['openReceiptUpload', 'sendReceiptPart', 'cancelReceiptUpload', 'addReceiptPhoto'],
  ...['setDocumentCover', 'setDocumentFile', 'beginImport', 'startImport', 'cancelImport'],
]

test('each call that changes something is an action that is tried', () => {
  const rows = new Set([...SHOP_ACTIONS, ...OFFICE_ACTIONS].map(({ call }) => call))
  expect(Object.keys(BY_THE_CONTROL_OF).filter((call) => !rows.has(call))).toEqual([])
  const known = [
    ...rows,
    ...OF_THEMSELVES,
    ...Object.values(BY_THE_CONTROL_OF).flat(),
    ...NOT_IN_THE_DEMO_SHOP,
  ]
  const changing = Object.entries(CALLS).filter(([, { method }]) => method !== 'GET')
  expect(changing.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([])
})
