import { DRAFTS_MAX } from '../rules/document-life.ts'
import { PACKAGE_MAX_FILES } from '../rules/imports.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES, UPLOADS_PER_DAY } from '../rules/uploads.ts'
import { OFFICE_DOCUMENT_ERRORS } from './office-document-errors.ts'
import { OFFICE_GOODS_ERRORS } from './office-goods-errors.ts'

/**
 * The errors that only the office's calls return, by stable code; in a separate file, so that
 * buyers do not load them.
 */
export const OFFICE_ERRORS = {
  office_log_in_required: { status: 401, message: 'Please log in to the office.' },
  wrong_role: { status: 403, message: 'This is not for your account.' },
  second_factor_missing: { status: 403, message: 'Please set up your second factor first.' },
  wrong_password: { status: 403, message: 'This is not your password.' },
  wrong_code: { status: 403, message: 'This code is not valid, or was used already.' },
  second_factor_off: { status: 409, message: 'Your second factor is not set up.' },
  second_factor_needed: {
    status: 409,
    message: 'Administrators of this shop need their second factor.',
  },
  invalid_invitation: {
    status: 400,
    message: 'This invitation is not valid, was used, or has expired.',
  },
  bank_account_missing: { status: 409, message: 'Please enter your bank account first.' },
  payout_open: { status: 409, message: 'A payout that you asked for is still waiting.' },
  payout_below_minimum: { status: 409, message: 'This is less than is paid out at once.' },
  payout_not_available: { status: 409, message: 'This is more than is available now.' },
  payment_decided: { status: 409, message: 'This payment has been decided about already.' },
  payment_at_gateway: {
    status: 409,
    message: 'This payment is made at the gateway, which alone says whether it was paid.',
  },
  order_not_paid: { status: 409, message: 'This order is not paid: there is nothing to refund.' },
  refund_changed: {
    status: 409,
    message: 'What can be refunded of this order has changed. Please look at it again.',
  },
  wallet_too_low: {
    status: 409,
    message: 'The wallet holds less than that: its balance cannot be negative.',
  },
  adjustment_not_found: { status: 404, message: 'Adjustment not found.' },
  adjustment_decided: { status: 409, message: 'This adjustment has been decided about already.' },
  adjustment_is_yours: { status: 409, message: 'Somebody else confirms what you proposed.' },
  adjustment_not_yours: {
    status: 409,
    message: 'Only who proposed this adjustment can withdraw it.',
  },
  difference_not_found: { status: 404, message: 'This difference is not known.' },
  difference_decided: { status: 409, message: 'This difference has been settled already.' },
  gateway_says_otherwise: {
    status: 409,
    message: 'The gateway does not confirm this payment now. Nothing was booked.',
  },
  setting_changed: { status: 409, message: 'This was changed meanwhile. Please look at it again.' },
  day_not_over: { status: 409, message: 'This day is not over yet.' },
  payment_not_at_gateway: {
    status: 409,
    message: 'This payment is not at the gateway: there is nothing to ask.',
  },
  gateway_silent: { status: 503, message: 'The gateway does not answer now. Please try again.' },
  payout_not_found: { status: 404, message: 'Payout not found.' },
  payout_closed: { status: 409, message: 'This payout has been decided about already.' },
  file_empty: { status: 400, message: 'This file is empty.' },
  file_too_large: {
    status: 413,
    message: `This file is too large: a PDF may have ${inMegabytes(UPLOAD_MAX_BYTES.document)} MB, a picture ${inMegabytes(UPLOAD_MAX_BYTES.cover)} MB.`,
  },
  too_many_uploads: {
    status: 409,
    message: 'Too many files are on their way. Finish or remove some of them first.',
  },
  too_many_uploads_today: {
    status: 429,
    message: `You have sent ${UPLOADS_PER_DAY} files within a day. Please go on later.`,
  },
  too_many_parts: {
    status: 400,
    message: 'This file arrived in too many small parts. Please choose it again.',
  },
  upload_not_found: {
    status: 404,
    message: 'This upload is not known any more. Please choose the file again.',
  },
  upload_incomplete: { status: 409, message: 'Part of the file has not arrived yet.' },
  not_a_pdf: { status: 415, message: 'This file is not a PDF, whatever its name says.' },
  pdf_damaged: {
    status: 400,
    message: 'This PDF is damaged and cannot be opened. Please export it again.',
  },
  pdf_encrypted: {
    status: 400,
    message: 'This PDF is protected by a password. Please save it without protection.',
  },
  pdf_active: {
    status: 400,
    message:
      'This PDF holds scripts, programs or attached files. Please print it to a new PDF and send that one.',
  },
  pdf_not_checkable: {
    status: 400,
    message:
      'This PDF is packed in a way that cannot be checked here. Please print it to a new PDF and send that one.',
  },
  pdf_too_many_pages: {
    status: 400,
    message: `This PDF has more than ${FILE_MAX_PAGES} pages. Please divide it.`,
  },
  pdf_too_complex: {
    status: 400,
    message: 'This PDF takes too much time or memory to open. Please export it again, simpler.',
  },
  not_a_picture: {
    status: 415,
    message: 'This file is not a picture that can be shown: PNG, JPEG and WebP can.',
  },
  picture_too_large: {
    status: 400,
    message: 'This picture has too many pixels. Please send a smaller one.',
  },
  not_a_logo: {
    status: 415,
    message:
      'This file cannot be the logo: it takes a PNG, or an SVG of plain shapes, without text, pictures, gradients and styles.',
  },
  logo_too_large: {
    status: 400,
    message: `This logo has too many pixels or shapes. Please make it simpler.`,
  },
  not_a_zip: {
    status: 415,
    message:
      'These files cannot be unpacked. Choose the files themselves, or a ZIP without a password.',
  },
  zip_too_large: {
    status: 400,
    message: `This ZIP holds too much: it may have ${PACKAGE_MAX_FILES} files. Please divide the list.`,
  },
  import_open: {
    status: 409,
    message: 'Another list is being looked at or imported. Wait for it, or stop it.',
  },
  import_not_found: { status: 404, message: 'This import is not known any more.' },
  import_state_changed: {
    status: 409,
    message: 'This is not possible in the import’s present state. Please load the page again.',
  },
  too_many_imports: {
    status: 429,
    message: 'You have begun a lot of imports today. Please go on tomorrow.',
  },
  too_many_drafts: {
    status: 409,
    message: `You have ${DRAFTS_MAX} documents that were never published. Delete some of them first.`,
  },
  too_many_submissions: {
    status: 429,
    message: 'You have submitted a lot today. Please go on tomorrow.',
  },
  ...OFFICE_DOCUMENT_ERRORS,
  rating_without_words: {
    status: 409,
    message: 'This rating has no words: there is nothing to answer.',
  },
  rating_changed: {
    status: 409,
    message:
      'This rating or its answer has changed meanwhile. Read it again; what you wrote here is kept.',
  },
  ...OFFICE_GOODS_ERRORS,
  profile_changed: {
    status: 409,
    message:
      'Your page has changed in another window. Choose which text stays; what you wrote here is still on the screen.',
  },
  join_request_not_found: {
    status: 404,
    message: 'No such request to join waits for an answer.',
  },
  email_of_other_role: {
    status: 409,
    message: 'This e-mail address belongs to an account of another kind. Give another one.',
  },
  invited_is_blocked: { status: 409, message: 'This account is blocked. Unblock it first.' },
  review_changed: {
    status: 409,
    message: 'This document has changed since you read it. Read it again before you decide.',
  },
  review_not_waiting: {
    status: 409,
    message: 'This document does not wait for review any more: its teacher has taken it back.',
  },
  done_before: {
    status: 409,
    message: 'Somebody else of the shop did this first.',
  },
  conversation_went_on: {
    status: 409,
    message: 'The customer has written again. Please read it first.',
  },
  canned_answer_not_found: { status: 404, message: 'Canned answer not found.' },
  own_account: { status: 409, message: 'You cannot do this to your own account.' },
  last_administrator: {
    status: 409,
    message: 'This is the last administrator who can log in.',
  },
  account_closed: {
    status: 409,
    message: 'This account is closed: another one has taken over what it had.',
  },
  account_not_blocked: { status: 409, message: 'This account is not blocked.' },
  account_not_active: {
    status: 409,
    message: 'This account cannot log in now: it is blocked, closed, or was never joined.',
  },
  no_second_factor: { status: 409, message: 'This account has no second factor.' },
  already_joined: { status: 409, message: 'This account has joined already.' },
  not_two_customers: {
    status: 409,
    message: 'Two different accounts of customers are needed, and the one that stays can log in.',
  },
  name_taken: { status: 409, message: 'Another entry of this list has this name.' },
  list_full: { status: 409, message: 'This list is full.' },
  document_taken_down: {
    status: 409,
    message: 'The shop took this document from sale. Submit it for review again.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type OfficeErrorCode = keyof typeof OFFICE_ERRORS
