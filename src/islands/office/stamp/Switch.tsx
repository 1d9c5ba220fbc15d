import '../earnings/summary.css'
import type { Stamp } from '../../../contract/office-stamp.ts'
import { fillText } from '../../../i18n/format.ts'
import { COMMAND_LINE } from '../../../rules/office-actions.ts'
import { useLocale } from '../../parts/island.tsx'
import { StateMark } from '../parts/cells.tsx'
import { momentText } from '../parts/dates.ts'
import { useTexts } from './texts.ts'

interface Props {
  stamp: Stamp
  onSwitch: () => void
}

/** Explains the stamp, and shows whether it is on and who switched it last. */
export function Switch({ stamp: { isOn, changed }, onSwitch }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-stamp:stamp')
  return (
    <section className="summary">
      <h2 className="summary__label">{texts.now}</h2>
      <StateMark kind={isOn ? 'good' : 'off'} text={isOn ? texts.on : texts.off} />
      <p>{texts.text}</p>
      {changed && (
        <p className="soft small">
          {fillText(texts.changed, {
            by: changed.by === COMMAND_LINE ? texts.commandLine : `\u2068${changed.by}\u2069`,
            at: momentText(locale, changed.at),
          })}
        </p>
      )}
      <button type="button" className="button" onClick={onSwitch}>
        {isOn ? texts.switchOff : texts.switchOn}
      </button>
    </section>
  )
}
