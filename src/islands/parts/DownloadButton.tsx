import { DownloadControl, type DownloadProps } from './DownloadControl.tsx'
import { useTexts } from './island.tsx'

/** `DownloadControl` in an island that is given its texts. */
export function DownloadButton(props: DownloadProps) {
  return <DownloadControl {...props} texts={useTexts('downloads:states')} />
}
