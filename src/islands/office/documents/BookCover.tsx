import '../../parts/cover.css'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { coverPicture, paintOf, subjectClass } from '../../../rules/cover.ts'
import { motifOf } from '../../parts/cover-motifs.ts'
import { useNames } from './names.ts'

/** A document's cover, drawn like `Cover.astro`, even while parts of the document are missing. */
export function BookCover({ document }: { document: OwnDocument }) {
  const names = useNames()
  const { title, matiere, classe, categorie, coverMapping } = document
  const picture = coverPicture(document)
  const paint = paintOf(coverMapping?.color)
  return (
    <div className={`cover ${subjectClass(matiere?.code)}`.trim()} aria-hidden="true">
      {paint && (
        <svg className="cover__paint" aria-hidden="true">
          <rect width="100%" height="100%" fill={paint} />
        </svg>
      )}
      <svg className="cover__motif" viewBox="0 0 24 24" aria-hidden="true">
        <path d={motifOf(matiere?.code)} />
      </svg>
      <div className="cover__label">
        <span className="cover__title along" dir="auto">
          {title}
        </span>
        <span className="cover__line">{matiere ? names.matiere(matiere) : '\u00a0'}</span>
        <span className="cover__line">{classe ? names.schoolYear(classe) : '\u00a0'}</span>
      </div>
      {categorie && <span className="cover__tab">{names.category(categorie)}</span>}
      {picture && (
        <picture>
          {picture.sources.map((source) => (
            <source key={source.type} {...source} sizes="210px" />
          ))}
          <img className="cover__picture" src={picture.src} alt="" width="170" height="220" />
        </picture>
      )}
    </div>
  )
}
