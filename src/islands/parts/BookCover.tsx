import '../../parts/cover.css'
import { lettering, unbroken } from '../../i18n/unbroken.ts'
import { coverClass, paperNumber } from '../../rules/cover-drawing.ts'
import { paintOf } from '../../rules/cover-note.ts'
import { type Covered, coverPicture } from '../../rules/pictures.ts'

interface Props {
  /** Its id and title, and the fields that its cover is drawn from. */
  book: Covered & { readonly id: number; readonly title: string }
  /** The code of the document's subject. */
  subject: string | null | undefined
  /** Subject and class, or their replacement. */
  lines: readonly (string | null)[]
  /** The kind of document; a book without it shows its title. */
  kind?: string | undefined
  /** How wide it is shown, as the `sizes` of an image. */
  sizes?: string
}

/** A document's cover, drawn like `Cover.astro`. Decorative: its text is repeated beside it. */
export function BookCover({
  book,
  subject,
  lines,
  kind = '',
  sizes = '(width < 48rem) 45vw, 210px',
}: Props) {
  const picture = coverPicture(book)
  const paint = paintOf(book.coverMapping?.color)
  const { text, isLong } = lettering(kind)
  return (
    <div className={coverClass(book, subject)} aria-hidden="true">
      {paint && (
        <svg className="cover__paint" aria-hidden="true">
          <rect width="100%" height="100%" fill={paint} />
        </svg>
      )}
      <div
        className="cover__label"
        data-kind={text || undefined}
        data-long={isLong}
        data-number={paperNumber(book.title)}
      >
        {!kind && (
          <span className="cover__title clamp along" dir="auto">
            {lettering(unbroken(book.title)).text}
          </span>
        )}
        <span className="cover__lines clamp">
          {lettering(lines.filter(Boolean).join('\n')).text}
        </span>
      </div>
      {picture && (
        <picture>
          {picture.sources.map((source) => (
            <source key={source.type} {...source} sizes={sizes} />
          ))}
          <img
            className="cover__picture"
            src={picture.src}
            alt=""
            width="170"
            height="220"
            loading="lazy"
            decoding="async"
          />
        </picture>
      )}
    </div>
  )
}
