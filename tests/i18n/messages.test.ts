import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/i18n/locales.ts'
import { type TextKey, uiText } from '../support/texts.ts'

/** The exact English texts of the screens, which users and their support know. */
const MESSAGES: Partial<Record<TextKey, string>> = {
  'library:reading.problems.preview_failed': 'Failed to preview document. Please try again.',
  'library:reading.problems.preview_not_loaded': 'Failed to load document preview.',
  'library:reading.problems.preview_empty': 'Document is empty or not available.',
  'library:reading.problems.download_file_missing':
    'Server error occurred. The file might be missing or inaccessible on the server.',
  'library:reading.problems.download_failed': 'Failed to download document. Please try again.',
  'library:reading.problems.download_forbidden':
    'You do not have permission to download this document.',
  'library:reading.problems.download_not_found': 'Document not found.',
  'library:reading.problems.download_server_error': 'Server error. Please try again later.',
  'library:page.notLoggedIn': 'User not logged in.',
  'errors:codes.invalid_token': 'Authentication failed. Please log in again.',
  'ratings:form.messages.logInToRateDocument': 'Please log in to rate the document',
  'ratings:form.messages.logInToRateTeacher': 'Please log in to rate the teacher',
  'ratings:form.messages.logInToSubmit': 'Please log in to submit a rating.',
  'ratings:form.messages.documentNotFound': 'Document not found.',
  'ratings:form.messages.noStars': 'Please select a star rating.',
  'ratings:form.messages.success': 'Rating submitted successfully!',
  'ratings:form.messages.failed': 'Failed to submit rating. Please try again.',
  'account:login.errors.invalidToken': 'Invalid token received',
  'account:login.errors.noToken': 'Login failed. No token returned',
  'account:login.errors.failed': 'Login failed',
  'account:login.denied.text': 'You do not have parent credentials to access this portal',
  'account:register.errors.failed': 'Registration failed.',
  'account:register.errors.mismatch': 'Passwords do not match.',
  'password:forgot.errors.required': 'Email is required.',
  'password:forgot.errors.email': 'Invalid email format.',
  'password:forgot.sent': 'If your email is registered, you will receive a password reset link.',
  'password:forgot.errors.failed': 'Error sending password reset email. Please try again.',
  'password:reset.errors.required': 'New password is required.',
  'password:reset.errors.minLength': 'New password must be at least 6 characters.',
  'password:reset.errors.confirmRequired': 'Confirm password is required.',
  'password:reset.errors.mismatch': 'Passwords do not match.',
  'password:reset.errors.noToken': 'Password reset token is missing.',
  'password:reset.errors.failed':
    'Error resetting password. The token might be invalid or expired.',
  'password:reset.done': 'Your password has been reset successfully.',
  'home:errors.featured': 'Failed to load featured content',
  'home:errors.authors': 'Failed to load authors',
  'home:errors.featuredBooks': 'Failed to load featured books',
  'home:errors.bestsellers': 'Failed to load bestsellers',
  'home:errors.authorBooks': 'Failed to load author books',
  'library:page.partlyPurchased':
    'Your purchase was partially successful. The following documents were already owned: {{titles}}.',
  'checkout:payment.short': 'wallet balance insufficient, please charge first',
  'purchase:modal.topUpNeeded': 'You need to top up at least 10 TND to continue',
  'purchase:modal.problem.insufficient': 'wallet balance insufficient, please charge first',
  'purchase:modal.problem.payment_failed': 'payment failed, try again',
  'checkout:result.unexpected': 'An unexpected error occurred during your purchase.',
  'checkout:result.failed': 'Payment failed: {{reason}}',
  'checkout:result.steps.order': 'The order could not be created.',
  'checkout:result.steps.order_id': 'The order number was not received.',
  'checkout:result.steps.payment_url': 'The address of the payment page was not received.',
  'checkout:result.steps.start': 'The payment could not be started.',
  'charging:page.failed': 'The top-up could not be started.',
  'charging:page.notLoggedIn': 'User not authenticated.',
  'charging:page.info.bank': 'Minimum top-up is 10 TND due to bank rules',
  'charging:page.amount.raised': 'the minimum charge is 10 TND',
  'purchase:modal.minimum': 'Minimum top-up is 10 TND due to bank rules',
  'purchase:modal.insufficient': 'Your current balance is insufficient',
  'purchase:modal.problem.invalid_product': 'Invalid product.',
  'purchase:modal.problem.not_logged_in': 'Please log in before paying.',
}

/** Removes the invisible characters that keep an amount in one piece. */
const inPlainSpaces = (text: string) =>
  text.replace(/[\u2068\u2069]/g, '').replaceAll('\u00a0', ' ')

describe('messages of the screens', () => {
  test.each(Object.entries(MESSAGES) as [TextKey, string][])(
    '%s has its exact text, and an Arabic one',
    (key, says) => {
      expect(inPlainSpaces(uiText('en', key))).toBe(says)
      expect(uiText('ar', key)).toMatch(/\p{Script=Arabic}/u)
      expect(new Set(LOCALES.map((locale) => uiText(locale, key))).size).toBe(LOCALES.length)
    },
  )
})
