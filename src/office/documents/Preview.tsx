import '../kit/preview.css'
import './preview.css'
import '../../parts/card.css'
import '../../parts/facts.css'
import type { OwnDocument } from '../../contract/own-document.ts'
import { formatDate } from '../../i18n/dates.ts'
import { percentText } from '../../i18n/format.ts'
import { BookCover } from '../../islands/parts/BookCover.tsx'
import { useLocale, useTexts } from '../../islands/parts/island.tsx'
import { Price, PriceOrFree } from '../../islands/parts/Price.tsx'
import { priceOf } from '../../parts/document-price.ts'
import { PreviewStars } from '../kit/PreviewStars.tsx'
import { useNames } from './names.ts'

export function DocumentPreview({ document }: { document: OwnDocument }) {
  const texts = useTexts('office-documents:preview')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on wide screens it scrolls separately, by keyboard too
    <aside className="preview stack gap-5" aria-label={texts.title} tabIndex={0}>
      <h2>{texts.title}</h2>
      <section className="stack gap-2">
        <h3 className="soft small strong">{texts.card}</h3>
        <PreviewCard document={document} />
      </section>
      <section className="stack gap-2">
        <h3 className="soft small strong">{texts.page}</h3>
        <PreviewPage document={document} />
      </section>
    </aside>
  )
}

function PreviewCard({ document }: { document: OwnDocument }) {
  const texts = useTexts('common:card')
  return (
    <article className="card preview__card">
      <div className="card__cover">
        <OwnBookCover document={document} />
        <DiscountBadge document={document} />
      </div>
      <p className="card__title clamp along" dir="auto">
        {document.title || texts.unknownTitle}
      </p>
      <p className="card__teacher one-line along" dir="auto">
        {document.teacher.name}
      </p>
      <PreviewStars rated={document} />
      {document.description && (
        <p className="card__description clamp along" dir="auto">
          {document.description}
        </p>
      )}
      <PreviewPrice document={document} />
      <span className="button preview__button">{texts.addToCart}</span>
    </article>
  )
}

function PreviewPage({ document }: { document: OwnDocument }) {
  const locale = useLocale()
  const texts = useTexts('office-documents:preview')
  const fields = useTexts('office-documents:fields')
  const card = useTexts('common:card')
  const names = useNames()
  const { matiere, classe, categorie, type, pageCount, fileType, firstPublishedAt } = document
  const facts = [
    [fields.matiere, matiere && names.matiere(matiere)],
    [fields.classe, classe && names.schoolClass(classe)],
    [fields.categorie, categorie && names.category(categorie)],
    [fields.type, type && names.audience(type)],
    [fields.chapters, document.chapters.map(names.chapter).join(' · ')],
    ...names.details(document).map(([name, value]) => [fields[name], value] as const),
    [texts.pages, pageCount && String(pageCount)],
    [texts.file, fileType?.toUpperCase()],
    [texts.released, firstPublishedAt && formatDate(locale, firstPublishedAt)],
    [texts.sales, String(document.salesCount)],
  ] as const
  const above = [categorie && names.category(categorie), classe && names.schoolClass(classe)]
  return (
    <article className="preview__page stack gap-3">
      <div className="preview__cover">
        <OwnBookCover document={document} />
      </div>
      <p className="soft small">{above.filter(Boolean).join(' · ')}</p>
      <p className="preview__title strong along" dir="auto">
        {document.title || card.unknownTitle}
      </p>
      <p className="cluster">
        <span>
          {texts.by} <bdi>{document.teacher.name}</bdi>
        </span>
        <PreviewStars rated={document} />
      </p>
      <PreviewPrice document={document} isBig />
      {document.description && (
        <>
          <p className="soft small strong">{fields.description}</p>
          <p className="as-written" dir="auto">
            {document.description}
          </p>
        </>
      )}
      <dl className="facts-list">
        {facts.map(
          ([term, value]) =>
            value && (
              <div key={term}>
                <dt>{term}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
    </article>
  )
}

type Priced = Pick<OwnDocument, 'price' | 'priceDiscount'>

function PreviewPrice({ document, isBig }: { document: Priced; isBig?: boolean }) {
  const texts = useTexts('common:price')
  const { price, priceDiscount } = document
  if (price === null) return null
  const { now, old } = priceOf({ price, priceDiscount })
  return (
    <p className="price-tag">
      <PriceOrFree amount={now} free={texts.free} {...(isBig && { className: 'price--big' })} />
      {old !== null && (
        <s>
          <Price amount={old} className="price--old" />
        </s>
      )}
      {isBig && <DiscountBadge document={document} className="badge" />}
    </p>
  )
}

function DiscountBadge({
  document: { price, priceDiscount },
  className = 'badge card__badge',
}: {
  document: Priced
  className?: string
}) {
  const locale = useLocale()
  const texts = useTexts('common:price')
  const percent = price === null ? 0 : priceOf({ price, priceDiscount }).percent
  if (percent === 0) return null
  return (
    <span className={className}>
      <span className="visually-hidden">{texts.saved}</span>{' '}
      <bdi dir="ltr">−{percentText(locale, percent)}</bdi>
    </span>
  )
}

/** The cover of one of the teacher's documents, even if parts of the document are missing. */
function OwnBookCover({ document }: { document: OwnDocument }) {
  const names = useNames()
  const { matiere, classe, categorie } = document
  return (
    <BookCover
      book={document}
      subject={matiere?.code}
      lines={[matiere && names.matiere(matiere), classe && names.schoolClass(classe)]}
      kind={categorie ? names.category(categorie) : undefined}
      sizes="210px"
    />
  )
}
