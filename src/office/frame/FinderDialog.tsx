import '../../islands/parts/dialog.css'
import '../../parts/field.css'
import './finder-dialog.css'
import { useStore } from '@nanostores/react'
import { atom, readonlyType } from 'nanostores'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import arabic from '#locales/ar/office-finder.json' with { type: 'json' }
import { groups as arabicNames } from '#locales/ar/office-site.json' with { type: 'json' }
import english from '#locales/en/office-finder.json' with { type: 'json' }
import { groups as englishNames } from '#locales/en/office-site.json' with { type: 'json' }
import french from '#locales/fr/office-finder.json' with { type: 'json' }
import { groups as frenchNames } from '#locales/fr/office-site.json' with { type: 'json' }
import type { Result } from '../../contract/call.ts'
import { searchOffice, searchOwn } from '../../contract/office-search.ts'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { Button } from '../../islands/parts/Button.tsx'
import { Dialog } from '../../islands/parts/Dialog.tsx'
import { useLocale } from '../../islands/parts/island.tsx'
import { Price } from '../../islands/parts/Price.tsx'
import type { PageAddress } from '../../rules/pages.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../rules/pasted-text.ts'
import type { StaffRole } from '../../rules/roles.ts'
import { containsFolded } from '../../rules/search-fold.ts'
import { FACT_GROUPS } from '../../rules/site-facts.ts'
import { type Loaded, notLoaded } from '../../stores/shared/loader.ts'
import { logOnly, problemOf } from '../../stores/shared/problem.ts'
import { shownReference } from '../../stores/shared/references.ts'
import { ask } from '../kit/backend.ts'
import { $officeSession } from '../kit/session.ts'

/** A row of the list, and the page that shows it. */
interface Hit {
  href: string
  title: string
  detail?: ReactNode
}

interface Group {
  name: string
  hits: Hit[]
}

// The texts of the office change only with a build, and these are few: they come with the dialog, in
// all languages, so that no page of the office holds them.
const TEXTS = { ar: arabic, fr: french, en: english } satisfies Record<Locale, object>
const SETTINGS = { ar: arabicNames, fr: frenchNames, en: englishNames }

export interface FinderProps {
  title: string
  onClose: () => void
}

export function FinderDialog({ title, onClose }: FinderProps) {
  const texts = TEXTS[useLocale()]
  return (
    <Dialog title={title} closeText={texts.close} onClose={onClose}>
      <FinderList />
    </Dialog>
  )
}

/** The field and the list of what is found; arrow keys choose, Enter opens. */
function FinderList() {
  const locale = useLocale()
  const texts = TEXTS[locale]
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const role = $officeSession.get()?.role ?? 'TEACHER'
  const [finder] = useState(() => createFinder(role))
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const state = useStore(finder.$state, { ssr: notLoaded })
  useEffect(() => {
    input.current?.focus()
    return finder.stop
  }, [finder])

  const found = state.phase === 'ready' ? rowsOf(state.value, locale) : []
  const groups = [...placesOf(role, typed, locale), ...found].filter(({ hits }) => hits.length > 0)
  const hits = groups.flatMap((group) => group.hits)
  const current = hits[Math.min(chosen, hits.length - 1)]
  const optionId = (hit: Hit) => `${id}-${hits.indexOf(hit)}`
  useEffect(() => {
    const option = current && document.getElementById(`${id}-${hits.indexOf(current)}`)
    void option?.scrollIntoView({ block: 'nearest' })
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || hits.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setChosen((Math.min(chosen, hits.length - 1) + step + hits.length) % hits.length)
    }
    if (event.key === 'Enter' && current) {
      event.preventDefault()
      location.assign(current.href)
    }
  }

  return (
    <div className="finder stack gap-3">
      <search className="field">
        <label htmlFor={`${id}-field`}>{texts.label}</label>
        <input
          ref={input}
          id={`${id}-field`}
          // Of type `search` it would take the first Escape, which closes the dialog.
          type="text"
          dir="auto"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={current && optionId(current)}
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          maxLength={SEARCH_TEXT_MAX_LENGTH}
          enterKeyHint="go"
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setTyped(target.value)
            setChosen(0)
            finder.type(target.value)
          }}
        />
      </search>
      <p id={`${id}-hint`} className="soft small" hidden={typed.trim() !== ''}>
        {texts.hint}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label={texts.list} hidden={hits.length === 0}>
        {groups.map((group, at) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div role="group" aria-labelledby={`${id}-group-${at}`} key={group.name}>
            <p
              id={`${id}-group-${at}`}
              className="finder__kind soft small strong"
              role="presentation"
            >
              {group.name}
            </p>
            {group.hits.map((hit) => (
              <a
                key={hit.href + hit.title}
                id={optionId(hit)}
                href={hit.href}
                role="option"
                tabIndex={-1}
                aria-selected={hit === current}
                className="finder__hit cluster items-baseline gap-3 lines-0 touch"
              >
                <span className="finder__title along" dir="auto">
                  {hit.title}
                </span>{' '}
                <span className="finder__detail soft small">{hit.detail}</span>
              </a>
            ))}
          </div>
        ))}
      </div>
      {state.phase === 'loading' && (
        <div className="stack" role="status" aria-busy="true">
          <span className="visually-hidden">{texts.loading}</span>
          <div className="skeleton skeleton--line" />
          <div className="skeleton skeleton--line" />
        </div>
      )}
      {state.phase === 'failed' && (
        <div className="error-state" role="alert">
          <p>{texts.failed}</p>
          <Button onClick={finder.retry}>{texts.retry}</Button>
        </div>
      )}
      <p className={hits.length > 0 ? 'visually-hidden' : 'finder__none'} role="status">
        {state.phase === 'ready' &&
          (hits.length > 0 ? pluralText(locale, texts.counts, 'count', hits.length) : texts.none)}
      </p>
    </div>
  )
}

/** The pages and settings whose names contain the text. */
function placesOf(role: StaffRole, typed: string, locale: Locale): Group[] {
  const { groups } = TEXTS[locale]
  const isMeant = ({ title }: Hit) => containsFolded(title, typed)
  // The menu is on every page, and names the pages of the role.
  const menu = document.querySelectorAll<HTMLAnchorElement>(`.office-menu[data-for="${role}"] a`)
  const pages = [...menu].map(({ href, textContent }) => ({ href, title: textContent.trim() }))
  const settings =
    role === 'ADMIN'
      ? FACT_GROUPS.map((group) => ({
          href: pathIn(locale, `/office/facts#${group}`),
          title: SETTINGS[locale][group],
        }))
      : []
  return [
    { name: groups.pages, hits: pages.filter(isMeant) },
    { name: groups.settings, hits: settings.filter(isMeant) },
  ]
}

function rowsOf(found: Found, locale: Locale): Group[] {
  const { groups, order, untitled } = TEXTS[locale]
  const { people = [], documents, orders = [], payments = [], sales = [] } = found
  const to = (address: PageAddress) => pathIn(locale, address)
  return [
    {
      name: groups.people,
      hits: people.map(({ id, name, contact }) => ({
        href: to(`/office/person?id=${id}`),
        title: name,
        detail: <bdi dir="ltr">{contact}</bdi>,
      })),
    },
    {
      name: groups.documents,
      hits: documents.map(({ id, title, teacher }) => ({
        href: to(teacher ? `/office/review-document?id=${id}` : `/office/document?id=${id}`),
        title: title || untitled,
        detail: teacher && <bdi>{teacher}</bdi>,
      })),
    },
    {
      name: groups.orders,
      hits: orders.map(({ id, buyer, total }) => ({
        href: to(`/office/order?id=${id}`),
        title: fillText(order, { number: id }),
        detail: (
          <>
            <bdi>{buyer}</bdi> · <Price amount={total} />
          </>
        ),
      })),
    },
    {
      name: groups.payments,
      hits: payments.map((payment) => ({
        href: to(pageOfPayment(payment)),
        title: shownReference(payment.paymentRef),
        detail: (
          <>
            <bdi>{payment.payer.name}</bdi> · <Price amount={payment.amount} />
          </>
        ),
      })),
    },
    {
      name: groups.sales,
      hits: sales.map(({ document, price, soldAt }) => ({
        href: to(`/office/sales?documentId=${document.id}`),
        title: document.title,
        detail: (
          <>
            {formatDate(locale, soldAt)} · <Price amount={price} />
          </>
        ),
      })),
    },
  ]
}

/** The page that shows a payment: its order, the list of transfers, or the wallet that it filled. */
function pageOfPayment({
  paymentRef,
  orderId,
  provider,
  state,
  payer,
}: NonNullable<Found['payments']>[number]): PageAddress {
  if (orderId !== null) return `/office/order?id=${orderId}`
  if (provider !== 'manual') return `/office/wallet?id=${payer.id}`
  // The list shows those that wait unless it is told otherwise.
  const among = state === 'pending' ? '' : `&state=${state}`
  return `/office/transfers?q=${shownReference(paymentRef)}${among}`
}

type OfAll = Result<typeof searchOffice>
type OfOwn = Result<typeof searchOwn>

/** The results, of the kinds that the role has; only administrators see whose a document is. */
type Found = Partial<Omit<OfAll & OfOwn, 'documents'>> & {
  documents: readonly { id: number; title: string; teacher?: string }[]
}

/** A search starts after a pause in typing of this length (ms). */
const TYPING_PAUSE_MS = 250

/** A search of the whole office while somebody types; the latest text wins. */
function createFinder(role: StaffRole) {
  const $state = atom<Loaded<Found>>({ phase: 'idle' })
  let typed = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let request = new AbortController()

  async function find(): Promise<void> {
    const { signal } = request
    const query = { q: typed }
    // The results for the previous text stay while the next answer is under way.
    if ($state.get().phase !== 'ready') $state.set({ phase: 'loading' })
    try {
      const value = await (role === 'ADMIN'
        ? ask(searchOffice, { query }, { signal })
        : ask(searchOwn, { query }, { signal }))
      if (!signal.aborted) $state.set({ phase: 'ready', value })
    } catch (error) {
      if (signal.aborted) return
      logOnly('the search of the office')(error)
      $state.set({ phase: 'failed', problem: problemOf(error) })
    }
  }

  function stop(): void {
    clearTimeout(timer)
    request.abort()
    request = new AbortController()
  }

  return {
    $state: readonlyType($state),
    type(text: string): void {
      const q = text.trim()
      if (q === typed) return
      typed = q
      stop()
      if (q === '') $state.set({ phase: 'idle' })
      else timer = setTimeout(find, TYPING_PAUSE_MS)
    },
    retry(): void {
      stop()
      void find()
    },
    stop,
  }
}
