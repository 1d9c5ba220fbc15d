import { useEffect, useState } from 'react'
import type { DocumentVersion } from '../../../contract/own-document.ts'
import { fillText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { type Pictures, samePage } from '../../../stores/office/review/document.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { StateMark } from '../parts/cells.tsx'
import { PagePicture } from '../parts/PageTurner.tsx'

/** The files that a phone shows. */
export type ShownSide = 'both' | 'current' | 'proposed'

interface Props {
  sides: { current: DocumentVersion | undefined; proposed: DocumentVersion | undefined }
  pictures: Pictures
  page: number
  /** The page's name, such as "Page 3 of 12". */
  pageName: string
  shown: ShownSide
  onRetry: () => void
}

/** One page of both files side by side, with a note whether it has changed. */
export function Sides({ sides, pictures, page, pageName, shown, onRetry }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-review:pages')
  const isPair = sides.current !== undefined
  return (
    <>
      {isPair && <Change pictures={pictures} page={page} sides={sides} />}
      <div
        className={isPair ? 'review-sides review-sides--pair' : 'review-sides'}
        data-shown={shown}
      >
        {(['current', 'proposed'] as const).map((side) => {
          const version = sides[side]
          const picture = pictures[side]
          if (!version || !picture) return null
          const name = isPair ? texts[side] : texts.one
          return (
            <figure className="review-sides__one" data-side={side} key={side}>
              <figcaption>
                <strong>{name}</strong> <Size version={version} />
              </figcaption>
              {page <= (version.pageCount ?? 1) ? (
                <PagePicture
                  key={picture(page)}
                  address={picture(page)}
                  name={labelled(locale, name, pageName)}
                  texts={texts}
                  onRetry={onRetry}
                />
              ) : (
                <p className="page-picture soft">{texts.none}</p>
              )}
            </figure>
          )
        })}
      </div>
    </>
  )
}

const KILOBYTE = 1024

function Size({ version: { pageCount, size } }: { version: DocumentVersion }) {
  const texts = useTexts('office-review:pages')
  const kilobytes = Math.max(1, Math.round((size ?? 0) / KILOBYTE))
  const sizeText =
    kilobytes < KILOBYTE
      ? fillText(texts.kilobytes, { size: kilobytes })
      : fillText(texts.megabytes, { size: Math.round(kilobytes / KILOBYTE) })
  return (
    <span className="soft small">
      {fillText(texts.pagesAndSize, { pages: pageCount ?? 1, size: sizeText })}
    </span>
  )
}

/** Shows whether the page has changed: pictures of equal pages have identical bytes. */
function Change({ sides, pictures, page }: Pick<Props, 'sides' | 'pictures' | 'page'>) {
  const texts = useTexts('office-review:pages')
  const [isSame, setSame] = useState<boolean | null>(null)
  const isInBoth = [sides.current, sides.proposed].every((side) => page <= (side?.pageCount ?? 1))
  useEffect(() => {
    let isStale = false
    setSame(null)
    if (isInBoth) {
      void samePage(pictures, page).then((same) => {
        if (!isStale) setSame(same)
      })
    }
    return () => {
      isStale = true
    }
  }, [pictures, page, isInBoth])
  return (
    <p className="review-sides__change" role="status">
      {isSame !== null && (
        <StateMark kind={isSame ? 'off' : 'waiting'} text={isSame ? texts.same : texts.differs} />
      )}
    </p>
  )
}
