export { default as account } from '#locales/fr/account.json' with { type: 'json' }
export { default as archive } from '#locales/fr/archive.json' with { type: 'json' }
export { default as brand } from '#locales/fr/brand.json' with { type: 'json' }
export { default as busy } from '#locales/fr/busy.json' with { type: 'json' }
export { default as cart } from '#locales/fr/cart.json' with { type: 'json' }
export { default as catalogue } from '#locales/fr/catalogue.json' with { type: 'json' }
export { default as charging } from '#locales/fr/charging.json' with { type: 'json' }
export { default as chat } from '#locales/fr/chat.json' with { type: 'json' }
export { default as 'chat-mail' } from '#locales/fr/chat-mail.json' with { type: 'json' }
export { default as checkout } from '#locales/fr/checkout.json' with { type: 'json' }
export { default as common } from '#locales/fr/common.json' with { type: 'json' }
export { default as 'confirm-email' } from '#locales/fr/confirm-email.json' with { type: 'json' }
export { default as content } from '#locales/fr/content.json' with { type: 'json' }
export { default as document } from '#locales/fr/document.json' with { type: 'json' }
export { default as downloads } from '#locales/fr/downloads.json' with { type: 'json' }
export { default as error } from '#locales/fr/error.json' with { type: 'json' }
export { default as errors } from '#locales/fr/errors.json' with { type: 'json' }
export { default as following } from '#locales/fr/following.json' with { type: 'json' }
export { default as home } from '#locales/fr/home.json' with { type: 'json' }
export { default as invoice } from '#locales/fr/invoice.json' with { type: 'json' }
export { default as library } from '#locales/fr/library.json' with { type: 'json' }
export { default as mail } from '#locales/fr/mail.json' with { type: 'json' }
export { default as marks } from '#locales/fr/marks.json' with { type: 'json' }
export { default as office } from '#locales/fr/office.json' with { type: 'json' }
export { default as 'office-access' } from '#locales/fr/office-access.json' with { type: 'json' }
export { default as 'office-acts' } from '#locales/fr/office-acts.json' with { type: 'json' }
export { default as 'office-admin-errors' } from '#locales/fr/office-admin-errors.json' with {
  type: 'json',
}
export { default as 'office-bundles' } from '#locales/fr/office-bundles.json' with { type: 'json' }
export { default as 'office-calendar' } from '#locales/fr/office-calendar.json' with {
  type: 'json',
}
export { default as 'office-catalogue' } from '#locales/fr/office-catalogue.json' with {
  type: 'json',
}
export { default as 'office-chapters' } from '#locales/fr/office-chapters.json' with {
  type: 'json',
}
export { default as 'office-codes' } from '#locales/fr/office-codes.json' with { type: 'json' }
export { default as 'office-commissions' } from '#locales/fr/office-commissions.json' with {
  type: 'json',
}
export { default as 'office-conversations' } from '#locales/fr/office-conversations.json' with {
  type: 'json',
}
export { default as 'office-documents' } from '#locales/fr/office-documents.json' with {
  type: 'json',
}
export { default as 'office-earnings' } from '#locales/fr/office-earnings.json' with {
  type: 'json',
}
export { default as 'office-errors' } from '#locales/fr/office-errors.json' with { type: 'json' }
export { default as 'office-figures' } from '#locales/fr/office-figures.json' with { type: 'json' }
export { default as 'office-file' } from '#locales/fr/office-file.json' with { type: 'json' }
export { default as 'office-finder' } from '#locales/fr/office-finder.json' with { type: 'json' }
export { default as 'office-goods' } from '#locales/fr/office-goods.json' with { type: 'json' }
export { default as 'office-import' } from '#locales/fr/office-import.json' with { type: 'json' }
export { default as 'office-interface-texts' } from '#locales/fr/office-interface-texts.json' with {
  type: 'json',
}
export { default as 'office-log' } from '#locales/fr/office-log.json' with { type: 'json' }
export { default as 'office-many' } from '#locales/fr/office-many.json' with { type: 'json' }
export { default as 'office-money' } from '#locales/fr/office-money.json' with { type: 'json' }
export { default as 'office-notices' } from '#locales/fr/office-notices.json' with { type: 'json' }
export { default as 'office-people' } from '#locales/fr/office-people.json' with { type: 'json' }
export { default as 'office-profile' } from '#locales/fr/office-profile.json' with { type: 'json' }
export { default as 'office-ratings' } from '#locales/fr/office-ratings.json' with { type: 'json' }
export { default as 'office-reports' } from '#locales/fr/office-reports.json' with { type: 'json' }
export { default as 'office-review' } from '#locales/fr/office-review.json' with { type: 'json' }
export { default as 'office-sample' } from '#locales/fr/office-sample.json' with { type: 'json' }
export { default as 'office-site' } from '#locales/fr/office-site.json' with { type: 'json' }
export { default as 'office-stamp' } from '#locales/fr/office-stamp.json' with { type: 'json' }
export { default as 'office-statement' } from '#locales/fr/office-statement.json' with {
  type: 'json',
}
export { default as 'office-waiting' } from '#locales/fr/office-waiting.json' with { type: 'json' }
export { default as 'office-wanted' } from '#locales/fr/office-wanted.json' with { type: 'json' }
export { default as 'office-withheld' } from '#locales/fr/office-withheld.json' with {
  type: 'json',
}
export { default as offline } from '#locales/fr/offline.json' with { type: 'json' }
export { default as order } from '#locales/fr/order.json' with { type: 'json' }
export { default as 'own-account' } from '#locales/fr/own-account.json' with { type: 'json' }
export { default as 'own-data' } from '#locales/fr/own-data.json' with { type: 'json' }
export { default as 'own-rating' } from '#locales/fr/own-rating.json' with { type: 'json' }
export { default as password } from '#locales/fr/password.json' with { type: 'json' }
export { default as payment } from '#locales/fr/payment.json' with { type: 'json' }
export { default as programme } from '#locales/fr/programme.json' with { type: 'json' }
export { default as purchase } from '#locales/fr/purchase.json' with { type: 'json' }
export { default as ratings } from '#locales/fr/ratings.json' with { type: 'json' }
export { default as reader } from '#locales/fr/reader.json' with { type: 'json' }
export { default as 'report-dialog' } from '#locales/fr/report-dialog.json' with { type: 'json' }
export { default as reports } from '#locales/fr/reports.json' with { type: 'json' }
export { default as retention } from '#locales/fr/retention.json' with { type: 'json' }
export { default as samples } from '#locales/fr/samples.json' with { type: 'json' }
export { default as search } from '#locales/fr/search.json' with { type: 'json' }
export { default as share } from '#locales/fr/share.json' with { type: 'json' }
export { default as shop } from '#locales/fr/shop.json' with { type: 'json' }
export { default as slider } from '#locales/fr/slider.json' with { type: 'json' }
export { default as sms } from '#locales/fr/sms.json' with { type: 'json' }
export { default as 'staff-mail' } from '#locales/fr/staff-mail.json' with { type: 'json' }
export { default as teacher } from '#locales/fr/teacher.json' with { type: 'json' }
export { default as units } from '#locales/fr/units.json' with { type: 'json' }
export { default as versions } from '#locales/fr/versions.json' with { type: 'json' }
export { default as wishlist } from '#locales/fr/wishlist.json' with { type: 'json' }
