export { default as account } from '#locales/ar/account.json' with { type: 'json' }
export { default as archive } from '#locales/ar/archive.json' with { type: 'json' }
export { default as brand } from '#locales/ar/brand.json' with { type: 'json' }
export { default as busy } from '#locales/ar/busy.json' with { type: 'json' }
export { default as cart } from '#locales/ar/cart.json' with { type: 'json' }
export { default as catalogue } from '#locales/ar/catalogue.json' with { type: 'json' }
export { default as charging } from '#locales/ar/charging.json' with { type: 'json' }
export { default as chat } from '#locales/ar/chat.json' with { type: 'json' }
export { default as 'chat-mail' } from '#locales/ar/chat-mail.json' with { type: 'json' }
export { default as checkout } from '#locales/ar/checkout.json' with { type: 'json' }
export { default as common } from '#locales/ar/common.json' with { type: 'json' }
export { default as 'confirm-email' } from '#locales/ar/confirm-email.json' with { type: 'json' }
export { default as content } from '#locales/ar/content.json' with { type: 'json' }
export { default as document } from '#locales/ar/document.json' with { type: 'json' }
export { default as downloads } from '#locales/ar/downloads.json' with { type: 'json' }
export { default as error } from '#locales/ar/error.json' with { type: 'json' }
export { default as errors } from '#locales/ar/errors.json' with { type: 'json' }
export { default as following } from '#locales/ar/following.json' with { type: 'json' }
export { default as home } from '#locales/ar/home.json' with { type: 'json' }
export { default as invoice } from '#locales/ar/invoice.json' with { type: 'json' }
export { default as library } from '#locales/ar/library.json' with { type: 'json' }
export { default as mail } from '#locales/ar/mail.json' with { type: 'json' }
export { default as marks } from '#locales/ar/marks.json' with { type: 'json' }
export { default as office } from '#locales/ar/office.json' with { type: 'json' }
export { default as 'office-access' } from '#locales/ar/office-access.json' with { type: 'json' }
export { default as 'office-acts' } from '#locales/ar/office-acts.json' with { type: 'json' }
export { default as 'office-admin-errors' } from '#locales/ar/office-admin-errors.json' with {
  type: 'json',
}
export { default as 'office-bundles' } from '#locales/ar/office-bundles.json' with { type: 'json' }
export { default as 'office-calendar' } from '#locales/ar/office-calendar.json' with {
  type: 'json',
}
export { default as 'office-catalogue' } from '#locales/ar/office-catalogue.json' with {
  type: 'json',
}
export { default as 'office-chapters' } from '#locales/ar/office-chapters.json' with {
  type: 'json',
}
export { default as 'office-codes' } from '#locales/ar/office-codes.json' with { type: 'json' }
export { default as 'office-commissions' } from '#locales/ar/office-commissions.json' with {
  type: 'json',
}
export { default as 'office-conversations' } from '#locales/ar/office-conversations.json' with {
  type: 'json',
}
export { default as 'office-documents' } from '#locales/ar/office-documents.json' with {
  type: 'json',
}
export { default as 'office-earnings' } from '#locales/ar/office-earnings.json' with {
  type: 'json',
}
export { default as 'office-errors' } from '#locales/ar/office-errors.json' with { type: 'json' }
export { default as 'office-figures' } from '#locales/ar/office-figures.json' with { type: 'json' }
export { default as 'office-file' } from '#locales/ar/office-file.json' with { type: 'json' }
export { default as 'office-finder' } from '#locales/ar/office-finder.json' with { type: 'json' }
export { default as 'office-goods' } from '#locales/ar/office-goods.json' with { type: 'json' }
export { default as 'office-import' } from '#locales/ar/office-import.json' with { type: 'json' }
export { default as 'office-interface-texts' } from '#locales/ar/office-interface-texts.json' with {
  type: 'json',
}
export { default as 'office-log' } from '#locales/ar/office-log.json' with { type: 'json' }
export { default as 'office-many' } from '#locales/ar/office-many.json' with { type: 'json' }
export { default as 'office-money' } from '#locales/ar/office-money.json' with { type: 'json' }
export { default as 'office-notices' } from '#locales/ar/office-notices.json' with { type: 'json' }
export { default as 'office-people' } from '#locales/ar/office-people.json' with { type: 'json' }
export { default as 'office-profile' } from '#locales/ar/office-profile.json' with { type: 'json' }
export { default as 'office-ratings' } from '#locales/ar/office-ratings.json' with { type: 'json' }
export { default as 'office-reports' } from '#locales/ar/office-reports.json' with { type: 'json' }
export { default as 'office-review' } from '#locales/ar/office-review.json' with { type: 'json' }
export { default as 'office-sample' } from '#locales/ar/office-sample.json' with { type: 'json' }
export { default as 'office-site' } from '#locales/ar/office-site.json' with { type: 'json' }
export { default as 'office-stamp' } from '#locales/ar/office-stamp.json' with { type: 'json' }
export { default as 'office-statement' } from '#locales/ar/office-statement.json' with {
  type: 'json',
}
export { default as 'office-waiting' } from '#locales/ar/office-waiting.json' with { type: 'json' }
export { default as 'office-wanted' } from '#locales/ar/office-wanted.json' with { type: 'json' }
export { default as 'office-withheld' } from '#locales/ar/office-withheld.json' with {
  type: 'json',
}
export { default as offline } from '#locales/ar/offline.json' with { type: 'json' }
export { default as order } from '#locales/ar/order.json' with { type: 'json' }
export { default as 'own-account' } from '#locales/ar/own-account.json' with { type: 'json' }
export { default as 'own-data' } from '#locales/ar/own-data.json' with { type: 'json' }
export { default as 'own-rating' } from '#locales/ar/own-rating.json' with { type: 'json' }
export { default as password } from '#locales/ar/password.json' with { type: 'json' }
export { default as payment } from '#locales/ar/payment.json' with { type: 'json' }
export { default as programme } from '#locales/ar/programme.json' with { type: 'json' }
export { default as purchase } from '#locales/ar/purchase.json' with { type: 'json' }
export { default as ratings } from '#locales/ar/ratings.json' with { type: 'json' }
export { default as reader } from '#locales/ar/reader.json' with { type: 'json' }
export { default as 'report-dialog' } from '#locales/ar/report-dialog.json' with { type: 'json' }
export { default as reports } from '#locales/ar/reports.json' with { type: 'json' }
export { default as retention } from '#locales/ar/retention.json' with { type: 'json' }
export { default as samples } from '#locales/ar/samples.json' with { type: 'json' }
export { default as search } from '#locales/ar/search.json' with { type: 'json' }
export { default as share } from '#locales/ar/share.json' with { type: 'json' }
export { default as shop } from '#locales/ar/shop.json' with { type: 'json' }
export { default as slider } from '#locales/ar/slider.json' with { type: 'json' }
export { default as sms } from '#locales/ar/sms.json' with { type: 'json' }
export { default as 'staff-mail' } from '#locales/ar/staff-mail.json' with { type: 'json' }
export { default as teacher } from '#locales/ar/teacher.json' with { type: 'json' }
export { default as units } from '#locales/ar/units.json' with { type: 'json' }
export { default as versions } from '#locales/ar/versions.json' with { type: 'json' }
export { default as wishlist } from '#locales/ar/wishlist.json' with { type: 'json' }
