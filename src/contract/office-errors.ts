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
  wrong_role: { status: 403, message: 'Your account does not allow this.' },
  second_factor_missing: { status: 403, message: 'Please set up your second step first.' },
  wrong_password: { status: 403, message: 'This is not your password.' },
  wrong_code: { status: 403, message: 'This code is not valid or has already been used.' },
  second_factor_off: { status: 409, message: 'Your second step is not set up.' },
  second_factor_needed: {
    status: 409,
    message: 'Administrators of this shop need the second step.',
  },
  invalid_invitation: {
    status: 400,
    message: 'This invitation is not valid, has been used or has expired.',
  },
  bank_account_missing: { status: 409, message: 'Please enter your bank account first.' },
  payout_open: { status: 409, message: 'A payout you asked for is still waiting.' },
  payout_below_minimum: { status: 409, message: 'This amount is below the minimum for a payout.' },
  payout_not_available: { status: 409, message: 'This amount is more than is available now.' },
  payment_decided: { status: 409, message: 'This payment has already been dealt with.' },
  payment_at_gateway: {
    status: 409,
    message: 'This payment is made at the gateway, which alone knows whether it was paid.',
  },
  order_not_paid: { status: 409, message: 'This order is not paid: there is nothing to refund.' },
  refund_changed: {
    status: 409,
    message: 'What can be refunded from this order has changed. Please look at it again.',
  },
  wallet_too_low: {
    status: 409,
    message: 'The wallet holds less than that: its balance cannot go below zero.',
  },
  adjustment_not_found: { status: 404, message: 'Adjustment not found.' },
  adjustment_decided: { status: 409, message: 'This adjustment has already been dealt with.' },
  adjustment_is_yours: {
    status: 409,
    message: 'What you proposed must be confirmed by somebody else.',
  },
  adjustment_not_yours: {
    status: 409,
    message: 'Only the person who proposed this adjustment can withdraw it.',
  },
  difference_not_found: { status: 404, message: 'This difference is unknown.' },
  difference_decided: { status: 409, message: 'This difference has already been settled.' },
  gateway_says_otherwise: {
    status: 409,
    message: 'The gateway does not confirm this payment at the moment. Nothing was recorded.',
  },
  setting_changed: {
    status: 409,
    message: 'This has been changed in the meantime. Please look at it again.',
  },
  day_not_over: { status: 409, message: 'This day is not over yet.' },
  payment_not_at_gateway: {
    status: 409,
    message: 'This payment was not made at the gateway: there is nothing to ask.',
  },
  gateway_silent: {
    status: 503,
    message: 'The gateway is not answering at the moment. Please try again.',
  },
  payout_not_found: { status: 404, message: 'Payout not found.' },
  payout_closed: { status: 409, message: 'This payout has already been dealt with.' },
  file_empty: { status: 400, message: 'This file is empty.' },
  file_too_large: {
    status: 413,
    message: `This file is too large: at most ${inMegabytes(UPLOAD_MAX_BYTES.document)} MB for a PDF, ${inMegabytes(UPLOAD_MAX_BYTES.cover)} MB for a picture.`,
  },
  too_many_uploads: {
    status: 409,
    message: 'Too many files are being uploaded. Finish or remove some of them first.',
  },
  too_many_uploads_today: {
    status: 429,
    message: `You have sent ${UPLOADS_PER_DAY} files in one day. Please continue later.`,
  },
  too_many_parts: {
    status: 400,
    message: 'This file arrived in too many small parts. Please choose it again.',
  },
  upload_not_found: {
    status: 404,
    message: 'This upload is no longer known. Please choose the file again.',
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
  pdf_restricted: {
    status: 400,
    message:
      'This PDF opens without a password, but forbids copying or changes, so it cannot be checked. Please save it without these restrictions, or print it to a new PDF.',
  },
  pdf_active: {
    status: 400,
    message:
      'This PDF contains scripts, programs or attached files. Please print it to a new PDF and send that one.',
  },
  pdf_not_checkable: {
    status: 400,
    message:
      'This PDF is packed in a way that cannot be checked here. Please print it to a new PDF and send that one.',
  },
  pdf_too_many_pages: {
    status: 400,
    message: `This PDF has more than ${FILE_MAX_PAGES} pages. Please split it.`,
  },
  pdf_too_complex: {
    status: 400,
    message:
      'This PDF takes too much time or memory to open. Please export it again in a simpler form.',
  },
  not_a_picture: {
    status: 415,
    message: 'This file is not a picture that can be shown: choose a PNG, JPEG or WebP.',
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
      'These files cannot be opened. Choose the files themselves, or a ZIP without a password.',
  },
  zip_too_large: {
    status: 400,
    message: `This ZIP contains too many files: ${PACKAGE_MAX_FILES} at most. Split the list.`,
  },
  import_open: {
    status: 409,
    message: 'Another list is being looked at or imported. Wait for it, or stop it.',
  },
  import_not_found: { status: 404, message: 'This import is no longer known.' },
  import_state_changed: {
    status: 409,
    message: 'This is not possible in the current state of the import. Reload the page.',
  },
  too_many_imports: {
    status: 429,
    message: 'You have started many imports today. Continue tomorrow.',
  },
  too_many_drafts: {
    status: 409,
    message: `You have ${DRAFTS_MAX} documents that were never published. Delete some of them first.`,
  },
  too_many_submissions: {
    status: 429,
    message: 'You have submitted a lot today. Please continue tomorrow.',
  },
  ...OFFICE_DOCUMENT_ERRORS,
  rating_without_words: {
    status: 409,
    message: 'This rating has no words: there is nothing to answer.',
  },
  rating_changed: {
    status: 409,
    message:
      'This rating or its answer has changed in the meantime. Read it again; what you wrote here is kept.',
  },
  ...OFFICE_GOODS_ERRORS,
  profile_changed: {
    status: 409,
    message:
      'Your page has changed in another window. Choose which text stays; what you wrote here is still on the screen.',
  },
  join_request_not_found: {
    status: 404,
    message: 'No request to join with this number is waiting for an answer.',
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
    message: 'This document is no longer waiting for review: its teacher has withdrawn it.',
  },
  done_before: {
    status: 409,
    message: 'Somebody else of the shop did this first.',
  },
  conversation_went_on: {
    status: 409,
    message: 'The customer has written again. Read the new message first.',
  },
  canned_answer_not_found: { status: 404, message: 'Canned answer not found.' },
  own_account: { status: 409, message: 'You cannot do this to your own account.' },
  last_administrator: {
    status: 409,
    message: 'This is the last administrator who can log in: it cannot be blocked.',
  },
  account_closed: {
    status: 409,
    message: 'This account is closed: everything in it has moved to another account.',
  },
  account_not_blocked: { status: 409, message: 'This account is not blocked.' },
  account_not_active: {
    status: 409,
    message:
      'This account cannot log in now: it is blocked or closed, or its owner has not joined yet.',
  },
  no_second_factor: { status: 409, message: 'This account has no second step.' },
  already_joined: { status: 409, message: 'The owner of this account has already joined.' },
  not_two_customers: {
    status: 409,
    message: 'Choose two different customer accounts; the one that stays must not be blocked.',
  },
  name_taken: {
    status: 409,
    message: 'Another entry in this list already has this name, offered or retired.',
  },
  list_full: { status: 409, message: 'This list is full.' },
  document_taken_down: {
    status: 409,
    message: 'The shop took this document off sale. Submit it for review again.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type OfficeErrorCode = keyof typeof OFFICE_ERRORS
