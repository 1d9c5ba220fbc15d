import { useStore } from '@nanostores/react'
import { memo, useCallback } from 'react'
import { fillText } from '../../i18n/format.ts'
import { $pictures, retryPage } from '../../stores/reader/pictures.ts'
import { $reader } from '../../stores/reader/reader.ts'
import { PageText } from './PageText.tsx'
import { useTexts } from './texts.ts'

interface Props {
  page: number
  count: number
  /** The size before zooming, in CSS pixels. */
  width: number
  height: number
  /** Whether the picture is shown; far from the screen it would only use memory. */
  isNear: boolean
  /** Whether the page's text is rendered for screen readers. */
  isRead: boolean
}

/** A sheet of paper in the shape of a page, with the page's picture once it is loaded. */
export const PageCell = memo(function PageCell(props: Props) {
  const { page, width, height, isNear } = props
  const measure = useCallback(
    (sheet: HTMLElement | null) => {
      sheet?.style.setProperty('--across', `${width}px`)
      sheet?.style.setProperty('--down', `${height}px`)
    },
    [width, height],
  )
  return (
    <div className="reader__cell" data-page={page}>
      <div className="reader__sheet" ref={measure}>
        {isNear && <PagePicture {...props} />}
      </div>
    </div>
  )
})

function PagePicture({ page, count, isRead }: Pick<Props, 'page' | 'count' | 'isRead'>) {
  const texts = useTexts('reader:page')
  const picture = useStore($pictures)[page]
  const reader = useStore($reader)
  const isKept = reader.phase === 'shown' && reader.isKept
  if (picture?.phase === 'shown') {
    return (
      <>
        <img
          src={picture.url}
          alt={fillText(texts.page, { page, count })}
          draggable={false}
          data-width={picture.width}
        />
        {isRead && <PageText page={page} />}
      </>
    )
  }
  if (picture?.phase === 'failed') {
    return (
      <div className="reader__missing" role="alert">
        <p dir="auto">{isKept ? texts.notKept : texts.pageFailed}</p>
        <button type="button" className="button" onClick={() => retryPage(page)}>
          {texts.retry}
        </button>
      </div>
    )
  }
  return (
    <p className="reader__coming">
      <span aria-hidden="true">{page}</span>
      <span className="visually-hidden">{fillText(texts.pageLoading, { page })}</span>
    </p>
  )
}
