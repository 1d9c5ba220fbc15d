import { useStore } from '@nanostores/react'
import { bareAmount } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $notice, dismissNotice, type Notice } from '../../stores/shared/notices.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

const nothing = () => null

/**
 * The current notice. Its live region is always present, since screen readers announce only changes
 * in a region that they know; so is the notice of a document put into the cart, which the page's
 * script shows before this island is hydrated.
 */
export function Toast() {
  const locale = useLocale()
  const texts = useTexts('cart:overlays')
  const notice = useStore($notice, { ssr: nothing })
  const added = notice?.kind === 'added' ? notice : null
  const isFree = added?.price === 0
  const price = added ? bareAmount(locale, added.price) : ''
  return (
    <div aria-live="polite">
      <div className="toast" data-toast hidden={!added} suppressHydrationWarning>
        <div>
          <p>
            <Icon name="check" /> {texts.added}
          </p>
          <p className="along" dir="auto" suppressHydrationWarning>
            {added?.title ?? ''}
          </p>
          <bdi
            className={isFree ? 'price price--free' : 'price'}
            data-free={texts.free}
            suppressHydrationWarning
          >
            {isFree ? texts.free : price}
          </bdi>
        </div>
        <a className="link" href={pathIn(locale, '/checkout')}>
          {texts.viewCart}
        </a>
        <Dismiss />
      </div>
      {notice && notice.kind !== 'added' && (
        <div className="toast" key={notice.code}>
          <p>
            <Problem notice={notice} />
          </p>
          <Dismiss />
        </div>
      )}
    </div>
  )
}

function Dismiss() {
  const { dismiss } = useTexts('cart:overlays')
  return (
    <button type="button" className="icon-button" aria-label={dismiss} onClick={dismissNotice}>
      <Icon name="close" />
    </button>
  )
}

function Problem({ notice }: { notice: Exclude<Notice, { kind: 'added' }> }) {
  const reading = useTexts('library:reading')
  const texts = useTexts('cart:overlays')
  if (notice.kind === 'problem') return reading.problems[notice.code]
  if (notice.code === 'invalid_token') return texts.wishLoggedOut
  return notice.code === 'wishlist_full' ? texts.wishFull : texts.wishFailed
}
