import {
  UNAPPROVED_DRAFTS_MAX,
  UNAPPROVED_MAX_BYTES,
  UNAPPROVED_UPLOADS_PER_DAY,
} from '../rules/approval.ts'
import { BULK_CHANGE_MAX } from '../rules/bulk-change.ts'
import { BUNDLES_MAX } from '../rules/bundles.ts'
import { CORRECTIONS_OF_PAPER_MAX } from '../rules/corrections.ts'
import { CODES_MAX } from '../rules/discount-codes.ts'
import { DRAFTS_MAX } from '../rules/document-life.ts'
import { PACKAGE_MAX_FILES } from '../rules/imports.ts'
import { RECEIPT_PHOTOS_MAX } from '../rules/receipt-photos.ts'
import { LINK_NAMES_MAX } from '../rules/teacher-links.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES, UPLOADS_PER_DAY } from '../rules/uploads.ts'

interface ApiFailure {
  status: number
  message: string
}

/** Errors of one HTTP status by their stable code, with the sentence in `message`. */
function errors<Code extends string>(status: number, messages: Record<Code, string>) {
  return Object.fromEntries(
    Object.entries<string>(messages).map(([code, message]) => [code, { status, message }]),
  ) as Record<Code, ApiFailure>
}

/** All errors that the shop's calls return. The interface translates by code. */
const SHOP_ERRORS = {
  ...errors(400, {
    invalid_input: 'The request is not valid.',
    malformed_json: 'The request body is not valid JSON.',
    idempotency_key_required: 'An Idempotency-Key header is required.',
    invalid_reset_token: 'Error resetting password. The token might be invalid or expired.',
    wrong_phone_code: 'This code is not right, or has expired.',
    invalid_confirmation_token: 'This link is not valid or has expired.',
    file_empty: 'This file is empty.',
    too_many_parts: 'This file arrived in too many small parts. Please choose it again.',
    picture_too_large: 'This picture has too many pixels. Please send a smaller one.',
  }),
  ...errors(401, {
    authentication_required: 'Authentication token is required',
    invalid_token: 'Authentication failed. Please log in again.',
    wrong_credentials: 'Login failed',
  }),
  ...errors(403, {
    forbidden: 'You may not do this for somebody else.',
    account_blocked: 'This account is blocked. Please contact the shop.',
    account_merged:
      'This account was merged with another account of your family: log in with that one.',
    wrong_password: 'This is not your password.',
    phone_unconfirmed: 'Please confirm your phone number first.',
    not_permitted: 'You do not have permission to download this document.',
    link_expired: 'Failed to load document preview.',
  }),
  ...errors(404, {
    not_found: 'Not found.',
    document_not_found: 'Document not found.',
    teacher_not_found: 'Teacher not found.',
    order_not_found: 'Order not found.',
    payment_not_found: 'Payment not found.',
    room_not_found: 'Conversation not found.',
    user_not_found: 'User not found.',
    shelf_not_found: 'Shelf not found.',
    code_unknown: 'This code is unknown.',
    photo_not_found: 'Photo not found.',
    upload_not_found: 'This upload is no longer known. Please choose the file again.',
  }),
  ...errors(405, {
    method_not_allowed: 'This address does not take this method.',
  }),
  ...errors(409, {
    registration_failed: 'Registration failed.',
    contact_taken: 'This e-mail or phone number belongs to an account already.',
    money_in_wallet: 'There is money in the wallet: say where it goes, or give it up.',
    return_waits:
      'The money of this wallet may have been transferred to its owner already: until the shop has confirmed that, the deletion neither changes nor ends.',
    insufficient_balance: 'wallet balance insufficient, please charge first',
    already_owned: 'Some of these documents are already yours.',
    already_ordered: 'Some of these documents are in an order that is waiting for payment.',
    price_changed: 'The price has changed. Please check it again.',
    code_not_begun: 'This code does not work yet.',
    code_ended: 'This code has ended.',
    code_used: 'You have used this code as often as it may be used.',
    code_needs_contact: 'Please confirm your e-mail address or phone number first.',
    code_not_for_these: 'This code is not for these documents.',
    code_below_least: 'These documents cost less than this code is for.',
    terms_not_accepted: 'Please accept the terms of the shop in force first.',
    method_not_offered: 'This payment method is not offered for this amount.',
    no_gateway: 'The shop does not accept cards. Please pay another way.',
    no_account: 'This shop does not take transfers of this kind. Please pay another way.',
    invoices_not_offered: 'The shop does not make out invoices at the moment.',
    nothing_to_invoice:
      'There is nothing to invoice: the order was free, refunded, or does not exceed the stamp duty.',
    already_invoiced: 'This order already has its invoice, which never changes.',
    order_closed: 'This order can no longer be paid.',
    order_paid: 'This order is paid and cannot be cancelled.',
    nothing_to_pay: 'You already own all the documents of this order: there is nothing to pay.',
    too_many_open_payments:
      'Several of your transfers have not arrived yet. Complete or cancel one of them first.',
    idempotency_conflict: 'This Idempotency-Key was used for another request.',
    cart_full: 'The cart is full.',
    shelf_name_taken: 'You already have a shelf with this name.',
    shelves_full: 'There is no room for another shelf.',
    marks_full: 'There is no room for another mark.',
    wishlist_full: 'The wishlist is full.',
    correction_exists: 'This document has a correction, or needs none.',
    waits_full: 'There is no room for another wait.',
    follows_full: 'There is no room to follow another one.',
    payment_ended: 'This payment does not wait any more: its photos stay as they are.',
    photos_full: `A payment takes ${RECEIPT_PHOTOS_MAX} photos.`,
    upload_incomplete: 'Part of the file has not arrived yet.',
  }),
  ...errors(410, {
    version_not_offered: 'This version of the document is no longer offered.',
  }),
  ...errors(413, {
    payload_too_large: 'The request is too large.',
    file_too_large: `This file is too large: at most ${inMegabytes(UPLOAD_MAX_BYTES.document)} MB for a PDF, ${inMegabytes(UPLOAD_MAX_BYTES.cover)} MB for a picture.`,
    photo_too_large: `This photo is too large: at most ${inMegabytes(UPLOAD_MAX_BYTES.receipt)} MB.`,
  }),
  ...errors(415, {
    unsupported_media_type: 'The request body must be JSON.',
    not_a_picture: 'This file is not a picture that can be shown: choose a PNG, JPEG or WebP.',
    heic_picture:
      'This photo is an HEIC file, which most browsers cannot show: send it as JPEG. So that new photos are JPEG: on an iPhone choose “Settings”, “Camera”, “Formats”, “Most Compatible”; on other phones turn off high-efficiency pictures in the settings of the camera.',
  }),
  ...errors(416, {
    range_not_satisfiable: 'The file ends before that.',
  }),
  ...errors(422, {
    document_unreadable: 'The pages of this document cannot be shown. It can still be downloaded.',
  }),
  ...errors(429, {
    too_many_requests: 'Too many requests. Please wait a moment.',
    too_many_photos_today: 'You have sent many photos today. Please continue tomorrow.',
    too_many_codes: 'Too many codes were wrong. Please try again in an hour.',
  }),
  ...errors(500, {
    server_error: 'Server error. Please try again later.',
    file_missing: 'Server error occurred. The file might be missing or inaccessible on the server.',
  }),
  ...errors(503, {
    no_texts_left: 'The shop can send no more text messages today.',
    gateway_unavailable: 'The payment could not be started. Please try again.',
    unavailable: 'The shop is busy. Please try again in a moment.',
  }),
}

/** The errors that only the office's calls return. */
export const OFFICE_ERRORS = {
  ...errors(400, {
    invalid_invitation: 'This invitation is not valid, has been used or has expired.',
    pdf_damaged: 'This PDF is damaged and cannot be opened. Please export it again.',
    pdf_encrypted: 'This PDF is protected by a password. Please save it without protection.',
    pdf_restricted:
      'This PDF opens without a password, but forbids copying or changes, so it cannot be checked. Please save it without these restrictions, or print it to a new PDF.',
    pdf_active:
      'This PDF contains scripts, programs or attached files, or opens a web page by itself. Please print it to a new PDF and send that one.',
    pdf_not_checkable:
      'This PDF is packed in a way that cannot be checked here. Please print it to a new PDF and send that one.',
    pdf_too_many_pages: `This PDF has more than ${FILE_MAX_PAGES} pages. Please split it.`,
    pdf_too_complex:
      'This PDF takes too much time or memory to open. Please export it again in a simpler form.',
    logo_too_large: `This logo has too many pixels or shapes. Please make it simpler.`,
    zip_too_large: `This ZIP contains too many files: ${PACKAGE_MAX_FILES} at most. Split the list.`,
  }),
  ...errors(401, {
    office_log_in_required: 'Please log in to the office.',
  }),
  ...errors(403, {
    wrong_role: 'Your account does not allow this.',
    second_factor_missing: 'Please set up your second step first.',
    wrong_code: 'This code is not valid or has already been used.',
  }),
  ...errors(404, {
    act_not_found: 'This act is unknown.',
    difference_not_found: 'This difference is unknown.',
    payout_not_found: 'Payout not found.',
    bundle_not_found: 'Bundle not found.',
    discount_code_not_found: 'Code not found.',
    import_not_found: 'This import is no longer known.',
    join_request_not_found: 'No request to join with this number is waiting for an answer.',
    canned_answer_not_found: 'Canned answer not found.',
    bulk_change_not_found: 'This change is unknown.',
  }),
  ...errors(409, {
    second_factor_off: 'Your second step is not set up.',
    second_factor_needed: 'Administrators of this shop need the second step.',
    bank_account_missing: 'Please enter your bank account first.',
    bank_account_new: 'Payouts wait some days after a change of the bank account, e-mail or phone.',
    payout_open: 'A payout you asked for is still waiting.',
    payout_below_minimum: 'This amount is below the minimum for a payout.',
    payout_not_available: 'This amount is more than is available now.',
    payment_decided: 'This payment has already been dealt with.',
    payment_at_gateway:
      'This payment is made at the gateway, which alone knows whether it was paid.',
    order_not_paid: 'This order is not paid: there is nothing to refund.',
    refund_changed: 'What can be refunded from this order has changed. Please look at it again.',
    more_than_owed: 'This is more than is owed to the tax office.',
    wallet_too_low: 'The wallet holds less than that: its balance cannot go below zero.',
    act_decided: 'This has already been dealt with.',
    act_is_yours: 'What you proposed must be confirmed by somebody else.',
    act_not_yours: 'Only the person who proposed this can withdraw it.',
    act_waits: 'The same is waiting for a second administrator already.',
    act_waits_a_day:
      'Nobody counts as a second administrator: the owner is told, and you can confirm it a day later.',
    act_changed:
      'What this is about has changed since it was proposed. Refuse or withdraw it, and begin again.',
    not_a_second:
      'You are no second person for this: one of you two invited the other, or set the other’s log-in, within 30 days.',
    account_has_email:
      'This account has an e-mail address: send a link to it instead of reading out a code.',
    account_not_approved: 'This is possible once the shop has approved your account.',
    unapproved_full: `Until the shop has approved your account, it may have ${UNAPPROVED_DRAFTS_MAX} documents, send ${UNAPPROVED_UPLOADS_PER_DAY} files a day and keep ${inMegabytes(UNAPPROVED_MAX_BYTES)} MB.`,
    teacher_has_published:
      'Documents of this teacher have been published: approve the account, or block it.',
    payout_not_approved:
      'A second administrator has to approve this payout before it is transferred. If it was transferred already, say so.',
    difference_decided: 'This difference has already been settled.',
    gateway_says_otherwise:
      'The gateway does not confirm this payment at the moment. Nothing was recorded.',
    setting_changed: 'This has been changed in the meantime. Please look at it again.',
    day_not_over: 'This day is not over yet.',
    payment_not_at_gateway: 'This payment was not made at the gateway: there is nothing to ask.',
    payout_closed: 'This payout has already been dealt with.',
    too_many_uploads: 'Too many files are being uploaded. Finish or remove some of them first.',
    import_open: 'Another list is being looked at or imported. Wait for it, or stop it.',
    import_state_changed:
      'This is not possible in the current state of the import. Reload the page.',
    corrections_full: `You have ${CORRECTIONS_OF_PAPER_MAX} corrections of this paper.`,
    too_many_drafts: `You have ${DRAFTS_MAX} documents that were never published. Delete some of them first.`,
    rating_without_words: 'This rating has no words: there is nothing to answer.',
    rating_changed:
      'This rating or its answer has changed in the meantime. Read it again; what you wrote here is kept.',
    link_taken: 'Another teacher has this link. Choose another name.',
    too_many_links: `You have had ${LINK_NAMES_MAX} links: choose one of them.`,
    profile_changed:
      'Your page has changed in another window. Choose which text stays; what you wrote here is still on the screen.',
    email_of_other_role:
      'This e-mail address belongs to an account of another kind. Give another one.',
    invited_is_blocked: 'This account is blocked. Unblock it first.',
    review_changed: 'This document has changed since you read it. Read it again before you decide.',
    review_not_waiting:
      'This document is no longer waiting for review: its teacher has withdrawn it.',
    done_before: 'Somebody else of the shop did this first.',
    conversation_went_on: 'The customer has written again. Read the new message first.',
    own_account: 'You cannot do this to your own account.',
    last_administrator: 'This is the last administrator who can log in: it cannot be blocked.',
    account_closed: 'This account is closed: everything in it has moved to another account.',
    account_not_blocked: 'This account is not blocked.',
    account_not_active:
      'This account cannot log in now: it is blocked or closed, or its owner has not joined yet.',
    no_second_factor: 'This account has no second step.',
    already_joined: 'The owner of this account has already joined.',
    not_two_customers:
      'Choose two different customer accounts; the one that stays must not be blocked.',
    deletion_asked:
      'The deletion of one of these accounts is asked for. End it with the merge, or wait until its owner keeps the account.',
    name_taken: 'Another entry in this list already has this name, offered or retired.',
    list_full: 'This list is full.',
    chapter_in_use: 'Documents have this chapter: hide it, or merge it into another.',
    report_not_found: 'No report about this document is open.',
    document_taken_down: 'The shop took this document off sale. Submit it for review again.',
    document_changed:
      'This document has changed in another window. Reload it to continue; what you wrote here is still on the screen.',
    document_incomplete: 'Something is still missing before this document can go on sale.',
    document_under_review: 'This document is being reviewed. Withdraw it first to change it.',
    file_unchanged: 'This is the same file that buyers already get. Choose the changed one.',
    correction_not_in_file:
      'The file does not have the page on which its correction is said to begin. Correct that page first.',
    sample_not_possible:
      'Everybody may look at a third of the pages at most, each once, of those that the file has.',
    document_not_deletable:
      'This document has been published, and people may own it. It can be taken off sale, but not deleted.',
    document_state_changed:
      'This is not possible in the document’s current state. Please reload it.',
    rating_not_hidden: 'This rating is not hidden.',
    code_taken: 'This code exists already. Choose another one.',
    codes_full: `At most ${CODES_MAX} codes work at a time. Stop another one first.`,
    bundle_exists: 'These documents are sold together already: change the price of that bundle.',
    bundle_not_cheaper:
      'Together, the documents must cost less than singly, and none of them may be free.',
    bundle_changed:
      'This bundle was changed meanwhile. Look at it again before you answer or change it.',
    bundle_of_one_teacher:
      'These documents are of one teacher, who sells them together without being asked.',
    teacher_cannot_agree:
      'A teacher of one of these documents has no account, and could not agree.',
    bundle_opened:
      'Some of these documents have been read or downloaded: refund single documents at their shares.',
    bundles_full: `At most ${BUNDLES_MAX} bundles are for sale at a time. Stop another one first.`,
    no_documents: 'No documents were chosen, or they no longer exist.',
    too_many_documents: `One change affects at most ${BULK_CHANGE_MAX} documents: narrow the list.`,
    preview_expired: 'This preview is too old. Please ask for a new one.',
    bulk_change_not_done: 'This change cannot be undone now.',
  }),
  ...errors(415, {
    not_a_pdf: 'This file is not a PDF, whatever its name says.',
    not_a_logo:
      'This file cannot be the logo: it takes a PNG, or an SVG of plain shapes, without text, pictures, gradients and styles.',
    not_a_zip:
      'These files cannot be opened. Choose the files themselves, or a ZIP without a password.',
  }),
  ...errors(429, {
    too_many_uploads_today: `You have sent ${UPLOADS_PER_DAY} files in one day. Please continue later.`,
    too_many_imports: 'You have started many imports today. Continue tomorrow.',
    too_many_submissions: 'You have submitted a lot today. Please continue tomorrow.',
  }),
  ...errors(503, {
    joining_full: 'Many teachers wait for our answer at the moment. Please try again in some days.',
    gateway_silent: 'The gateway is not answering at the moment. Please try again.',
  }),
}

/** All errors of the API, for the server and the reference; browsers do not load their sentences. */
export const ALL_ERRORS = { ...SHOP_ERRORS, ...OFFICE_ERRORS }

export type ErrorCode = keyof typeof ALL_ERRORS
export type OfficeErrorCode = keyof typeof OFFICE_ERRORS
