export { default as account } from '#locales/en/account.json' with { type: 'json' }
export { default as archive } from '#locales/en/archive.json' with { type: 'json' }
export { default as brand } from '#locales/en/brand.json' with { type: 'json' }
export { default as busy } from '#locales/en/busy.json' with { type: 'json' }
export { default as cart } from '#locales/en/cart.json' with { type: 'json' }
export { default as catalogue } from '#locales/en/catalogue.json' with { type: 'json' }
export { default as charging } from '#locales/en/charging.json' with { type: 'json' }
export { default as chat } from '#locales/en/chat.json' with { type: 'json' }
export { default as 'chat-mail' } from '#locales/en/chat-mail.json' with { type: 'json' }
export { default as checkout } from '#locales/en/checkout.json' with { type: 'json' }
export { default as common } from '#locales/en/common.json' with { type: 'json' }
export { default as 'confirm-email' } from '#locales/en/confirm-email.json' with { type: 'json' }
export { default as content } from '#locales/en/content.json' with { type: 'json' }
export { default as document } from '#locales/en/document.json' with { type: 'json' }
export { default as downloads } from '#locales/en/downloads.json' with { type: 'json' }
export { default as error } from '#locales/en/error.json' with { type: 'json' }
export { default as errors } from '#locales/en/errors.json' with { type: 'json' }
export { default as following } from '#locales/en/following.json' with { type: 'json' }
export { default as home } from '#locales/en/home.json' with { type: 'json' }
export { default as invoice } from '#locales/en/invoice.json' with { type: 'json' }
export { default as library } from '#locales/en/library.json' with { type: 'json' }
export { default as mail } from '#locales/en/mail.json' with { type: 'json' }
export { default as marks } from '#locales/en/marks.json' with { type: 'json' }
export { default as office } from '#locales/en/office.json' with { type: 'json' }
export { default as 'office-access' } from '#locales/en/office-access.json' with { type: 'json' }
export { default as 'office-acts' } from '#locales/en/office-acts.json' with { type: 'json' }
export { default as 'office-admin-errors' } from '#locales/en/office-admin-errors.json' with {
  type: 'json',
}
export { default as 'office-bundles' } from '#locales/en/office-bundles.json' with { type: 'json' }
export { default as 'office-calendar' } from '#locales/en/office-calendar.json' with {
  type: 'json',
}
export { default as 'office-catalogue' } from '#locales/en/office-catalogue.json' with {
  type: 'json',
}
export { default as 'office-chapters' } from '#locales/en/office-chapters.json' with {
  type: 'json',
}
export { default as 'office-codes' } from '#locales/en/office-codes.json' with { type: 'json' }
export { default as 'office-commissions' } from '#locales/en/office-commissions.json' with {
  type: 'json',
}
export { default as 'office-conversations' } from '#locales/en/office-conversations.json' with {
  type: 'json',
}
export { default as 'office-documents' } from '#locales/en/office-documents.json' with {
  type: 'json',
}
export { default as 'office-earnings' } from '#locales/en/office-earnings.json' with {
  type: 'json',
}
export { default as 'office-errors' } from '#locales/en/office-errors.json' with { type: 'json' }
export { default as 'office-figures' } from '#locales/en/office-figures.json' with { type: 'json' }
export { default as 'office-file' } from '#locales/en/office-file.json' with { type: 'json' }
export { default as 'office-finder' } from '#locales/en/office-finder.json' with { type: 'json' }
export { default as 'office-goods' } from '#locales/en/office-goods.json' with { type: 'json' }
export { default as 'office-import' } from '#locales/en/office-import.json' with { type: 'json' }
export { default as 'office-interface-texts' } from '#locales/en/office-interface-texts.json' with {
  type: 'json',
}
export { default as 'office-log' } from '#locales/en/office-log.json' with { type: 'json' }
export { default as 'office-many' } from '#locales/en/office-many.json' with { type: 'json' }
export { default as 'office-money' } from '#locales/en/office-money.json' with { type: 'json' }
export { default as 'office-notices' } from '#locales/en/office-notices.json' with { type: 'json' }
export { default as 'office-people' } from '#locales/en/office-people.json' with { type: 'json' }
export { default as 'office-profile' } from '#locales/en/office-profile.json' with { type: 'json' }
export { default as 'office-ratings' } from '#locales/en/office-ratings.json' with { type: 'json' }
export { default as 'office-reports' } from '#locales/en/office-reports.json' with { type: 'json' }
export { default as 'office-review' } from '#locales/en/office-review.json' with { type: 'json' }
export { default as 'office-sample' } from '#locales/en/office-sample.json' with { type: 'json' }
export { default as 'office-site' } from '#locales/en/office-site.json' with { type: 'json' }
export { default as 'office-stamp' } from '#locales/en/office-stamp.json' with { type: 'json' }
export { default as 'office-statement' } from '#locales/en/office-statement.json' with {
  type: 'json',
}
export { default as 'office-waiting' } from '#locales/en/office-waiting.json' with { type: 'json' }
export { default as 'office-wanted' } from '#locales/en/office-wanted.json' with { type: 'json' }
export { default as 'office-withheld' } from '#locales/en/office-withheld.json' with {
  type: 'json',
}
export { default as offline } from '#locales/en/offline.json' with { type: 'json' }
export { default as order } from '#locales/en/order.json' with { type: 'json' }
export { default as 'own-account' } from '#locales/en/own-account.json' with { type: 'json' }
export { default as 'own-data' } from '#locales/en/own-data.json' with { type: 'json' }
export { default as 'own-rating' } from '#locales/en/own-rating.json' with { type: 'json' }
export { default as password } from '#locales/en/password.json' with { type: 'json' }
export { default as payment } from '#locales/en/payment.json' with { type: 'json' }
export { default as programme } from '#locales/en/programme.json' with { type: 'json' }
export { default as purchase } from '#locales/en/purchase.json' with { type: 'json' }
export { default as ratings } from '#locales/en/ratings.json' with { type: 'json' }
export { default as reader } from '#locales/en/reader.json' with { type: 'json' }
export { default as 'report-dialog' } from '#locales/en/report-dialog.json' with { type: 'json' }
export { default as reports } from '#locales/en/reports.json' with { type: 'json' }
export { default as retention } from '#locales/en/retention.json' with { type: 'json' }
export { default as samples } from '#locales/en/samples.json' with { type: 'json' }
export { default as search } from '#locales/en/search.json' with { type: 'json' }
export { default as share } from '#locales/en/share.json' with { type: 'json' }
export { default as shop } from '#locales/en/shop.json' with { type: 'json' }
export { default as slider } from '#locales/en/slider.json' with { type: 'json' }
export { default as sms } from '#locales/en/sms.json' with { type: 'json' }
export { default as 'staff-mail' } from '#locales/en/staff-mail.json' with { type: 'json' }
export { default as teacher } from '#locales/en/teacher.json' with { type: 'json' }
export { default as units } from '#locales/en/units.json' with { type: 'json' }
export { default as versions } from '#locales/en/versions.json' with { type: 'json' }
export { default as wishlist } from '#locales/en/wishlist.json' with { type: 'json' }
