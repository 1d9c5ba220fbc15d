import { DownloadControl, type DownloadProps } from './DownloadControl.tsx'
import { useTexts } from './island.tsx'

/** `DownloadControl` for islands that have its texts. */
export function DownloadButton(props: DownloadProps) {
  return <DownloadControl {...props} texts={useTexts('downloads:states')} />
}
