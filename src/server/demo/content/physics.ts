import { formula } from '../pdf/bidi.ts'
import type { Random } from '../random.ts'
import { shown } from './numbers.ts'
import { type Question, several, type TopicMaker } from './topic.ts'

const circuits: TopicMaker = (random) => ({
  language: 'ar',
  heading: 'الدارة الكهربائيّة وقانون أوم',
  points: [
    'تتكوّن الدارة الكهربائيّة البسيطة من مولّد وأسلاك ربط وقاطعة ومتقبّل مثل المصباح.',
    `نقيس شدّة التيّار بالأمبيرمتر الموصول بالتسلسل، ووحدتها الأمبير ${formula('A')}.`,
    `نقيس التوتّر بالفولطمتر الموصول بالتوازي، ووحدته الفولط ${formula('V')}.`,
    `قانون أوم: التوتّر بين طرفي المقاوم يساوي جداء مقاومته في شدّة التيّار، أي ${formula('U = R × I')}.`,
    `القدرة الكهربائيّة هي جداء التوتّر في شدّة التيّار، أي ${formula('P = U × I')}، ووحدتها الواط ${formula('W')}.`,
    'لا نلمس أبدًا أسلاكًا عارية موصولة بالشبكة، ولا نستعمل الكهرباء بأيدٍ مبلّلة.',
  ],
  questions: [
    ...several(4, () => ohm(random)),
    ...several(2, () => power(random)),
    {
      ask: 'لماذا يُوصل الأمبيرمتر بالتسلسل والفولطمتر بالتوازي؟',
      answer:
        'لأنّ الأمبيرمتر يقيس التيّار الذي يمرّ فيه، أمّا الفولطمتر فيقيس الفرق بين نقطتين من الدارة.',
    },
  ],
})

function ohm(random: Random): Question {
  const [resistance, tenths] = [random.between(10, 60), random.between(1, 8)]
  const current = tenths / 10
  return {
    ask: `مقاوم مقاومته ${resistance} أوم يمرّ فيه تيّار شدّته ${formula(`${current} A`)}. احسب التوتّر بين طرفيه.`,
    answer: formula(`U = R × I = ${resistance} × ${current} = ${shown(resistance * current)} V`),
  }
}

function power(random: Random): Question {
  const [voltage, tenths] = [random.pick([6, 12, 24]), random.between(2, 9)]
  const current = tenths / 10
  return {
    ask: `مصباح يشتغل تحت توتّر ${formula(`${voltage} V`)} ويمرّ فيه تيّار شدّته ${formula(`${current} A`)}. ما قدرته؟`,
    answer: formula(`P = U × I = ${voltage} × ${current} = ${shown(voltage * current)} W`),
  }
}

const motion: TopicMaker = (random) => ({
  language: 'fr',
  heading: 'Mouvement, vitesse et quantité de matière',
  points: [
    'Le mouvement d’un mobile se décrit toujours par rapport à un repère lié à un corps de référence.',
    'La vitesse moyenne est le quotient de la distance parcourue par la durée du parcours : v = d / t.',
    'Pour convertir des km/h en m/s, on divise par 3,6.',
    'Le poids d’un corps de masse m est P = m × g ; à la surface de la Terre, g est voisin de 10 N/kg.',
    'La quantité de matière d’un échantillon de masse m est n = m / M, où M est la masse molaire en g/mol.',
  ],
  questions: [
    ...several(3, () => speed(random)),
    ...several(2, () => weight(random)),
    ...several(3, () => moles(random)),
  ],
})

function speed(random: Random): Question {
  const [metresASecond, seconds] = [random.between(2, 30), random.between(1, 6) * 60]
  return {
    ask: `Un mobile parcourt ${metresASecond * seconds} m en ${seconds / 60} min d’un mouvement uniforme. Calculer sa vitesse en m/s puis en km/h.`,
    answer: `v = ${metresASecond * seconds} / ${seconds} = ${metresASecond} m/s, soit ${metresASecond} × 3,6 = ${french(metresASecond * 3.6)} km/h.`,
  }
}

function weight(random: Random): Question {
  const mass = random.between(3, 80)
  return {
    ask: `Calculer le poids d’un corps de masse ${mass} kg (on prend g = 10 N/kg).`,
    answer: `P = m × g = ${mass} × 10 = ${mass * 10} N.`,
  }
}

const SUBSTANCES = [
  { name: 'd’eau (H, O)', molar: 18 },
  { name: 'de dioxyde de carbone', molar: 44 },
  { name: 'de dioxygène', molar: 32 },
  { name: 'd’hydroxyde de sodium', molar: 40 },
]

function moles(random: Random): Question {
  const { name, molar } = random.pick(SUBSTANCES)
  const halves = random.between(1, 9)
  const mass = (molar * halves) / 2
  return {
    ask: `Quelle est la quantité de matière contenue dans ${mass} g ${name}, de masse molaire ${molar} g/mol ?`,
    answer: `n = m / M = ${mass} / ${molar} = ${french(halves / 2)} mol.`,
  }
}

function french(value: number): string {
  return shown(value).replace('.', ',')
}

const mechanics: TopicMaker = (random) => ({
  language: 'fr',
  heading: 'Mécanique du point : énergie et chute libre',
  points: [
    'Dans un référentiel galiléen, la dérivée de la quantité de mouvement d’un point est égale à la somme des forces qui s’exercent sur lui.',
    'L’énergie cinétique d’un point de masse m et de vitesse v est E = ½ m v².',
    'En chute libre sans vitesse initiale, la vitesse au temps t est v = g t et la hauteur de chute h = ½ g t².',
    'Le théorème de l’énergie cinétique affirme que sa variation est égale au travail de toutes les forces.',
    'L’énergie mécanique se conserve lorsque seules travaillent des forces conservatives.',
  ],
  questions: [...several(4, () => freeFall(random)), ...several(3, () => kineticEnergy(random))],
})

function freeFall(random: Random): Question {
  const seconds = random.between(1, 9)
  return {
    ask: `Un objet tombe sans vitesse initiale pendant ${seconds} s (g = 10 m/s², frottements négligés). Calculer sa vitesse et la hauteur de chute.`,
    answer: `v = g t = ${10 * seconds} m/s et h = ½ g t² = ${5 * seconds * seconds} m.`,
  }
}

function kineticEnergy(random: Random): Question {
  const [mass, speed] = [random.between(2, 20), random.between(2, 15)]
  return {
    ask: `Calculer l’énergie cinétique d’un point de masse ${mass} kg animé d’une vitesse de ${speed} m/s.`,
    answer: `E = ½ × ${mass} × ${speed}² = ${french((mass * speed * speed) / 2)} J.`,
  }
}

export const physics = { circuits, motion, mechanics }
