import './admin-picker.css'
import { useStore } from '@nanostores/react'
import { $picker, type Administrator, closePicker } from '../../stores/chat/start.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { Portrait } from './Portrait.tsx'
import { useTexts } from './texts.ts'

interface Props {
  onPick: (administrator: Administrator) => void
}

/** The dialog in which a customer picks the administrator to write to. */
export function AdminPicker({ onPick }: Props) {
  const texts = useTexts('chat:page').picker
  const picker = useStore($picker)
  if (picker.phase === 'closed') return null
  const isLoading = picker.phase === 'loading'
  return (
    <Dialog
      title={texts.title}
      closeText={texts.close}
      onClose={closePicker}
      isBusy={isLoading}
      foot={
        <button type="button" className="button" disabled={isLoading} onClick={closePicker}>
          {texts.cancel}
        </button>
      }
    >
      {isLoading && (
        <p className="chat__note" role="status" aria-busy="true">
          <span className="spinner" />
          {texts.loading}
        </p>
      )}
      {picker.phase === 'open' && picker.administrators.length === 0 && (
        <p role="status">{texts.none}</p>
      )}
      {picker.phase === 'open' && picker.administrators.length > 0 && (
        <ul className="chat__admins">
          {picker.administrators.map((administrator) => (
            <li key={administrator.id}>
              <button type="button" className="chat__admin" onClick={() => onPick(administrator)}>
                <Portrait name={administrator.username} />
                <span dir="auto">{administrator.username}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
