import type { FastifyInstance } from 'fastify'
import { accountRoutes } from './accounts/routes.ts'
import { officeAccessRoutes } from './accounts/staff/routes.ts'
import { bundleRoutes } from './bundles/routes.ts'
import { sharedBundleRoutes } from './bundles/shared-routes.ts'
import { cartRoutes } from './carts/routes.ts'
import { listRoutes } from './catalogue/admin/routes.ts'
import { calendarRoutes } from './catalogue/calendar.ts'
import { programmeRoutes } from './catalogue/programme.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { chatRoutes } from './chat/routes.ts'
import type { Deps } from './deps.ts'
import { bulkChangeRoutes } from './documents/bulk/view.ts'
import { correctionWaitRoutes } from './documents/correction-waits.ts'
import { correctionRoutes } from './documents/corrections.ts'
import { reportRoutes } from './documents/reports.ts'
import { reviewRoutes } from './documents/review.ts'
import { documentRoutes } from './documents/routes.ts'
import { figureRoutes } from './figures/routes.ts'
import { followingRoutes } from './following/routes.ts'
import { unsubscribeLinks } from './following/unsubscribe.ts'
import type { Route } from './http/route.ts'
import { seenRequest } from './http/seen.ts'
import { importRoutes } from './imports/routes.ts'
import { previewRoutes } from './library/reading/previews.ts'
import { readingRoutes } from './library/reading/reading.ts'
import { samplePictures, sampleRoutes } from './library/samples/routes.ts'
import { archivePages, archiveRoutes } from './library/shelf/archives.ts'
import { fileLinkRoutes, linkedFiles } from './library/shelf/file-links.ts'
import { markRoutes } from './library/shelf/marks.ts'
import { libraryRoutes } from './library/shelf/routes.ts'
import { shelfRoutes } from './library/shelf/shelves.ts'
import { stampRoutes } from './library/stamping/trouble-routes.ts'
import { pictureRoutes } from './library/uploaded-pictures.ts'
import { closingRoutes } from './money/admin/closings.ts'
import { commissionRoutes } from './money/admin/commissions.ts'
import { differenceRoutes } from './money/admin/differences.ts'
import { shopOrderRoutes } from './money/admin/orders.ts'
import { teacherPayoutRoutes } from './money/admin/payouts.ts'
import { transferRoutes } from './money/admin/transfers.ts'
import { customerWalletRoutes } from './money/admin/wallets.ts'
import { withheldRoutes } from './money/admin/withheld.ts'
import { codeRoutes } from './money/codes/routes.ts'
import { earningRoutes } from './money/earnings/routes.ts'
import { invoiceRoutes } from './money/invoices/routes.ts'
import { orderRoutes } from './money/order-routes.ts'
import { paymentPages, paymentRoutes } from './money/payment-routes.ts'
import { walletRoutes } from './money/wallet-routes.ts'
import { noticeRoutes } from './notices/routes.ts'
import { officeSearchRoutes } from './office-search/routes.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import { joiningRoutes } from './people/joining.ts'
import { logRoutes } from './people/log.ts'
import { peopleRoutes } from './people/routes.ts'
import { moderationRoutes, ratingRoutes, receivedRatingRoutes } from './ratings/routes.ts'
import { receiptPhotoRoutes } from './receipt-photos/routes.ts'
import { publicFiles } from './search-engines/public-files.ts'
import { siteTextRoutes } from './site-texts/routes.ts'
import { payoutRoutes } from './teachers/payout-routes.ts'
import { profileRoutes } from './teachers/routes.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { actRoutes } from './waiting/acts.ts'
import { waitingRoutes } from './waiting/routes.ts'
import { wishlistRoutes } from './wishlists/routes.ts'

/** Every route of the API; each call of the contract has one. */
export const ROUTES: readonly Route[] = [
  ...accountRoutes,
  ...ownDataRoutes,
  ...catalogueRoutes,
  ...programmeRoutes,
  ...bundleRoutes,
  ...codeRoutes,
  ...sharedBundleRoutes,
  ...cartRoutes,
  ...walletRoutes,
  ...orderRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...earningRoutes,
  ...payoutRoutes,
  ...transferRoutes,
  ...receiptPhotoRoutes,
  ...shopOrderRoutes,
  ...customerWalletRoutes,
  ...differenceRoutes,
  ...teacherPayoutRoutes,
  ...withheldRoutes,
  ...closingRoutes,
  ...commissionRoutes,
  ...figureRoutes,
  ...libraryRoutes,
  ...sampleRoutes,
  ...fileLinkRoutes,
  ...archiveRoutes,
  ...readingRoutes,
  ...shelfRoutes,
  ...markRoutes,
  ...stampRoutes,
  ...wishlistRoutes,
  ...followingRoutes,
  ...ratingRoutes,
  ...chatRoutes,
  ...officeAccessRoutes,
  ...uploadRoutes,
  ...documentRoutes,
  ...correctionRoutes,
  ...correctionWaitRoutes,
  ...reviewRoutes,
  ...reportRoutes,
  ...bulkChangeRoutes,
  ...joiningRoutes,
  ...waitingRoutes,
  ...actRoutes,
  ...officeSearchRoutes,
  ...noticeRoutes,
  ...receivedRatingRoutes,
  ...moderationRoutes,
  ...importRoutes,
  ...profileRoutes,
  ...peopleRoutes,
  ...logRoutes,
  ...siteTextRoutes,
  ...listRoutes,
  ...calendarRoutes,
]

/**
 * Addresses outside the contract, for frames, redirected browsers, search engines and `office doctor`.
 */
export const OTHER_ADDRESSES: readonly ((server: FastifyInstance, deps: Deps) => Promise<void>)[] =
  [
    previewRoutes,
    linkedFiles,
    archivePages,
    pictureRoutes,
    samplePictures,
    paymentPages,
    unsubscribeLinks,
    publicFiles,
    seenRequest,
  ]
