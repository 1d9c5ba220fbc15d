import '../../parts/cover.css'
import { type CoverNote, paintOf, subjectClass } from '../../rules/cover-note.ts'
import { coverPicture } from '../../rules/pictures.ts'

interface Props {
  cover: CoverNote
  className?: string
}

export function MiniCover({ cover: { subject, color, picture }, className = '' }: Props) {
  const paint = paintOf(color)
  const shown = coverPicture({ coverPath: picture })
  return (
    <span
      className={`${className} cover cover--mini ${subjectClass(subject)}`.trim()}
      aria-hidden="true"
    >
      {paint && (
        <svg className="cover__paint" aria-hidden="true">
          <rect width="100%" height="100%" fill={paint} />
        </svg>
      )}
      {shown && (
        <picture>
          {shown.sources.map((source) => (
            <source key={source.type} {...source} sizes="3rem" />
          ))}
          <img className="cover__picture" src={shown.src} alt="" width="48" height="62" />
        </picture>
      )}
    </span>
  )
}
