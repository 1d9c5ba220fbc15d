import './cover.css'
import { unbroken } from '../../i18n/unbroken.ts'
import { paintOf, subjectClass } from '../../rules/cover-note.ts'
import { type Covered, coverPicture } from '../../rules/pictures.ts'

interface Props {
  /** Its title, and the fields that its cover is drawn from. */
  book: Covered & { readonly title: string }
  /** The code of the document's subject. */
  subject: string | null | undefined
  /** One or two lines below the title, each on a ruled line. */
  lines: string
  /** The kind of document. */
  tab?: string | undefined
  /** How wide it is shown, as the `sizes` of an image. */
  sizes?: string
}

/** A document's cover, drawn like `Cover.astro`. Decorative: its text is repeated beside it. */
export function BookCover({
  book,
  subject,
  lines,
  tab,
  sizes = '(width < 48rem) 45vw, 210px',
}: Props) {
  const picture = coverPicture(book)
  const paint = paintOf(book.coverMapping?.color)
  return (
    <div className={`cover ${subjectClass(subject)}`.trim()} aria-hidden="true">
      {paint && (
        <svg className="cover__paint" aria-hidden="true">
          <rect width="100%" height="100%" fill={paint} />
        </svg>
      )}
      <div className="cover__label" data-tab={tab}>
        <span className="cover__title clamp along" dir="auto">
          {unbroken(book.title)}
        </span>
        <span className="cover__lines">{lines}</span>
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
