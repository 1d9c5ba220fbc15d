import { formula } from '../pdf/bidi.ts'
import type { Random } from '../random.ts'
import { commonDivisor, fraction, plus, shown, times } from './numbers.ts'
import { type Question, several, type TopicMaker } from './topic.ts'

const fractions: TopicMaker = (random) => ({
  language: 'ar',
  heading: 'الكسور: التبسيط والجمع والمقارنة',
  points: [
    `الكسر عدد يُكتب على شكل ${formula('a/b')}، ويُسمّى العدد الأعلى بسطًا والعدد الأسفل مقامًا، ولا يكون المقام صفرًا أبدًا.`,
    'لا تتغيّر قيمة الكسر إذا ضربنا بسطه ومقامه في العدد نفسه أو قسمناهما على العدد نفسه.',
    `نبسّط الكسر بقسمة حدّيه على قاسمهما المشترك الأكبر، مثل ${formula('6/8 = 3/4')}.`,
    `لجمع كسرين نوحّد مقاميهما أوّلًا، ثمّ نجمع البسطين ونحافظ على المقام المشترك: ${formula('1/2 + 1/3 = 3/6 + 2/6 = 5/6')}.`,
    'إذا تساوى المقامان فأكبر الكسرين ما كان بسطه أكبر، وإذا تساوى البسطان فأكبرهما ما كان مقامه أصغر.',
    'لحساب كسر من مقدار نقسم المقدار على المقام ثمّ نضرب الناتج في البسط.',
  ],
  questions: [
    ...several(3, () => sumOfFractions(random)),
    ...several(2, () => simplified(random)),
    ...several(3, () => partOfPrice(random)),
  ],
})

function sumOfFractions(random: Random): Question {
  const [b, d] = [random.between(2, 8), random.between(2, 9)]
  const [a, c] = [random.between(1, b), random.between(1, d)]
  const sum = fraction(a * d + c * b, b * d)
  return {
    ask: `احسب واكتب الناتج في أبسط صورة: ${formula(`${a}/${b} + ${c}/${d}`)}`,
    answer: `${formula(`${a}/${b} + ${c}/${d} = ${a * d}/${b * d} + ${c * b}/${b * d} = ${sum}`)}`,
  }
}

function simplified(random: Random): Question {
  const factor = random.between(2, 9)
  const bottom = random.between(4, 12)
  const top = random.between(1, bottom - 1)
  const divisor = commonDivisor(top * factor, bottom * factor)
  return {
    ask: `بسّط الكسر ${formula(`${top * factor}/${bottom * factor}`)} إلى أقصى حدّ.`,
    answer: `نقسم الحدّين على ${divisor}: ${formula(`${top * factor}/${bottom * factor} = ${fraction(top, bottom)}`)}`,
  }
}

function partOfPrice(random: Random): Question {
  const bottom = random.pick([3, 4, 5, 8])
  const top = random.between(1, bottom - 1)
  const price = bottom * random.between(3, 15)
  const part = (price / bottom) * top
  return {
    ask: `ثمن كتاب ${price} دينارًا، دفعت منه سلمى ${formula(`${top}/${bottom}`)}. كم دفعت؟ وكم بقي عليها؟`,
    answer: `دفعت ${formula(`${price} ÷ ${bottom} × ${top} = ${part}`)} دينارًا، وبقي عليها ${formula(`${price} − ${part} = ${price - part}`)} دينارًا.`,
  }
}

const problems: TopicMaker = (random) => ({
  language: 'ar',
  heading: 'العمليّات الأربع وحلّ المسائل',
  points: [
    'نقرأ المسألة مرّتين، ثمّ نكتب المعطيات والمطلوب قبل أن نبدأ الحساب.',
    'ثمن الشراء هو ثمن الوحدة مضروبًا في عدد الوحدات.',
    'الباقي هو الفرق بين المبلغ المدفوع وثمن الشراء.',
    'في القسمة الإقليديّة يكون الباقي دائمًا أصغر من القاسم.',
    'نتحقّق من صحّة الطرح بالجمع، ومن صحّة القسمة بالضرب.',
  ],
  questions: [...several(4, () => shopping(random)), ...several(3, () => sharing(random))],
})

function shopping(random: Random): Question {
  const [count, price] = [random.between(3, 12), random.between(2, 9)]
  const paid = Math.ceil((count * price + 1) / 10) * 10
  return {
    ask: `اشترى يوسف ${count} كرّاسات بثمن ${price} دنانير للكرّاس الواحد، ودفع ${paid} دينارًا. كم أرجع له البائع؟`,
    answer: `ثمن الكرّاسات ${formula(`${count} × ${price} = ${count * price}`)} دينارًا، والباقي ${formula(`${paid} − ${count * price} = ${paid - count * price}`)} دينارًا.`,
  }
}

function sharing(random: Random): Question {
  const [boxes, each, left] = [random.between(4, 12), random.between(6, 24), random.between(1, 3)]
  const total = boxes * each + left
  return {
    ask: `وزّع فلّاح ${total} برتقالة على ${boxes} صناديق بالتساوي. كم برتقالة في كلّ صندوق؟ وكم يبقى؟`,
    answer: `${formula(`${total} = ${boxes} × ${each} + ${left}`)}، ففي كلّ صندوق ${each} برتقالة، ويبقى ${left}.`,
  }
}

const equations: TopicMaker = (random) => ({
  language: 'ar',
  heading: 'المعادلات من الدرجة الأولى ذات مجهول واحد',
  points: [
    `المعادلة مساواة فيها مجهول نرمز إليه بحرف مثل ${formula('x')}، وحلّها هو العدد الذي يجعل المساواة صحيحة.`,
    'نحافظ على المساواة إذا أضفنا إلى طرفيها العدد نفسه أو طرحناه منهما.',
    'نحافظ على المساواة إذا ضربنا طرفيها في عدد غير صفر أو قسمناهما عليه.',
    'نجمع الحدود التي فيها المجهول في طرف، والأعداد المعلومة في الطرف الآخر.',
    'نتحقّق من الحلّ بتعويض المجهول به في المعادلة الأصليّة.',
  ],
  questions: [
    ...several(4, () => linearEquation(random)),
    ...several(2, () => equationOnBothSides(random)),
    ...several(2, () => equationProblem(random)),
  ],
})

function linearEquation(random: Random): Question {
  const [a, x, b] = [random.between(2, 9), random.between(-9, 12), random.between(1, 15)]
  const right = a * x + b
  return {
    ask: `حلّ المعادلة: ${formula(`${a}x + ${b} = ${shown(right)}`)}`,
    answer: `${formula(`${a}x = ${shown(right)} − ${b} = ${shown(a * x)}`)}، إذن ${formula(`x = ${shown(x)}`)}`,
  }
}

function equationOnBothSides(random: Random): Question {
  const [c, x, b] = [random.between(2, 5), random.between(1, 10), random.between(1, 9)]
  const a = c + random.between(2, 5)
  const d = (a - c) * x + b
  return {
    ask: `حلّ المعادلة: ${formula(`${a}x + ${b} = ${c}x + ${d}`)}`,
    answer: `${formula(`${a - c}x = ${d - b}`)}، إذن ${formula(`x = ${x}`)}`,
  }
}

function equationProblem(random: Random): Question {
  const [x, more] = [random.between(8, 30), random.between(2, 9)]
  return {
    ask: `مجموع عمرَي أخوين ${2 * x + more} سنة، والأكبر يزيد عن الأصغر بـ ${more} سنوات. ما عمر كلّ منهما؟`,
    answer: `ليكن ${formula('x')} عمر الأصغر: ${formula(`x + x + ${more} = ${2 * x + more}`)}، إذن عمر الأصغر ${x} وعمر الأكبر ${x + more}.`,
  }
}

const TRIPLES = [
  [3, 4, 5],
  [5, 12, 13],
  [8, 15, 17],
] as const

const geometry: TopicMaker = (random) => ({
  language: 'ar',
  heading: 'المثلّث القائم ونظريّة بيتاغور',
  points: [
    'المثلّث القائم له زاوية قيسها 90 درجة، ويُسمّى الضلع المقابل لها وترًا، وهو أطول الأضلاع.',
    `إذا كان المثلّث ${formula('ABC')} قائمًا في ${formula('A')} فإنّ ${formula('BC² = AB² + AC²')}.`,
    'وعكس ذلك صحيح: إذا تحقّقت المساواة فالمثلّث قائم.',
    `مساحة المثلّث القائم هي نصف جداء ضلعيه القائمين: ${formula('AB × AC ÷ 2')}.`,
    'مجموع أقيسة زوايا كلّ مثلّث 180 درجة.',
  ],
  questions: [...several(4, () => hypotenuse(random)), ...several(3, () => thirdAngle(random))],
})

function hypotenuse(random: Random): Question {
  const [a, b, c] = random.pick(TRIPLES)
  const k = random.between(1, 4)
  return {
    ask: `${formula('ABC')} مثلّث قائم في ${formula('A')} حيث ${formula(`AB = ${a * k} cm`)} و ${formula(`AC = ${b * k} cm`)}. احسب الوتر ${formula('BC')} ومساحة المثلّث.`,
    answer: `${formula(`BC² = ${(a * k) ** 2} + ${(b * k) ** 2} = ${(c * k) ** 2}`)}، إذن ${formula(`BC = ${c * k} cm`)}، والمساحة ${formula(`${(a * b * k * k) / 2} cm²`)}.`,
  }
}

function thirdAngle(random: Random): Question {
  const [a, b] = [random.between(30, 80), random.between(35, 85)]
  return {
    ask: `في مثلّث زاويتان قيساهما ${a} و ${b} درجة. ما قيس الزاوية الثالثة؟`,
    answer: `${formula(`180 − ${a} − ${b} = ${180 - a - b}`)} درجة.`,
  }
}

const quadratics: TopicMaker = (random) => ({
  language: 'fr',
  heading: 'Équations du second degré',
  points: [
    'Une équation du second degré s’écrit ax² + bx + c = 0, où a n’est pas nul.',
    'Son discriminant est D = b² − 4ac.',
    'Si D est strictement positif, l’équation a deux solutions distinctes ; si D = 0, une solution double ; si D est strictement négatif, aucune solution réelle.',
    'Lorsque les solutions existent, leur somme vaut −b/a et leur produit c/a.',
    'Pour étudier le signe du trinôme, on dresse un tableau : il a le signe de a à l’extérieur des racines.',
  ],
  questions: [
    ...several(5, () => quadraticEquation(random)),
    ...several(2, () => sumAndProduct(random)),
  ],
})

function quadraticEquation(random: Random): Question {
  const first = random.between(-6, 5)
  const second = random.between(first + 1, 8)
  const [b, c] = [-(first + second), first * second]
  const middle = b === 0 ? '' : ` ${b < 0 ? '−' : '+'} ${times(Math.abs(b), 'x')}`
  const last = c === 0 ? '' : ` ${plus(c)}`
  return {
    ask: `Résoudre dans l’ensemble des réels : x²${middle}${last} = 0`,
    answer: `D = ${b * b - 4 * c} = ${second - first}². Les solutions sont ${shown(first)} et ${shown(second)}.`,
  }
}

function sumAndProduct(random: Random): Question {
  const [a, b] = [random.between(2, 9), random.between(10, 15)]
  return {
    ask: `Trouver deux nombres dont la somme est ${a + b} et le produit ${a * b}.`,
    answer: `Ils sont solutions de x² − ${a + b}x + ${a * b} = 0 : ce sont ${a} et ${b}.`,
  }
}

const sequences: TopicMaker = (random) => ({
  language: 'fr',
  heading: 'Suites arithmétiques et suites géométriques',
  points: [
    'Une suite est arithmétique lorsque l’on passe d’un terme au suivant en ajoutant toujours le même nombre r, appelé raison : u(n) = u(0) + n × r.',
    'Une suite est géométrique lorsque l’on passe d’un terme au suivant en multipliant toujours par le même nombre q.',
    'La somme de termes consécutifs d’une suite arithmétique est égale au nombre de termes multiplié par la demi-somme des termes extrêmes.',
    'Une suite arithmétique est croissante si r est positif, décroissante si r est négatif, constante si r est nul.',
    'Une suite géométrique de raison q strictement comprise entre −1 et 1 converge vers 0.',
  ],
  questions: [
    ...several(4, () => arithmeticTerms(random)),
    ...several(3, () => geometricTerms(random)),
  ],
})

function arithmeticTerms(random: Random): Question {
  const [start, step, n] = [random.between(1, 12), random.between(2, 7), random.between(8, 20)]
  const last = start + n * step
  return {
    ask: `(u) est la suite arithmétique de premier terme u(0) = ${start} et de raison ${step}. Calculer u(${n}), puis la somme u(0) + u(1) + … + u(${n}).`,
    answer: `u(${n}) = ${start} + ${n} × ${step} = ${last}. La somme vaut ${n + 1} × (${start} + ${last}) / 2 = ${((n + 1) * (start + last)) / 2}.`,
  }
}

function geometricTerms(random: Random): Question {
  const [start, ratio] = [random.between(1, 6), random.between(2, 4)]
  const terms = [0, 1, 2, 3, 4].map((power) => start * ratio ** power)
  return {
    ask: `(v) est la suite géométrique de premier terme v(0) = ${start} et de raison ${ratio}. Calculer v(4) et la somme des cinq premiers termes.`,
    answer: `v(4) = ${start} × ${ratio ** 4} = ${terms[4]}. La somme vaut ${terms.join(' + ')} = ${terms.reduce((a, b) => a + b, 0)}.`,
  }
}

const matrices: TopicMaker = (random) => ({
  language: 'fr',
  heading: 'Matrices carrées d’ordre 2 et déterminants',
  points: [
    'On note [a, b ; c, d] la matrice dont la première ligne est (a, b) et la seconde (c, d).',
    'Son déterminant est ad − bc ; la matrice est inversible si et seulement si ce nombre n’est pas nul.',
    'La trace est la somme des termes de la diagonale : a + d.',
    'Le polynôme caractéristique s’écrit X² − (a + d)X + (ad − bc) ; ses racines sont les valeurs propres.',
    'Le produit de deux matrices n’est pas commutatif en général, mais le déterminant du produit est le produit des déterminants.',
  ],
  questions: [...several(4, () => determinant(random)), ...several(3, () => eigenvalues(random))],
})

function determinant(random: Random): Question {
  const [a, b, c, d] = [1, 2, 3, 4].map(() => random.between(-5, 7)) as [
    number,
    number,
    number,
    number,
  ]
  const value = a * d - b * c
  const matrix = `[${shown(a)}, ${shown(b)} ; ${shown(c)}, ${shown(d)}]`
  return {
    ask: `Calculer le déterminant de ${matrix}. La matrice est-elle inversible ?`,
    answer: `Le déterminant vaut (${shown(a)})(${shown(d)}) − (${shown(b)})(${shown(c)}) = ${shown(value)} : la matrice ${value === 0 ? 'n’est pas inversible' : 'est inversible'}.`,
  }
}

function eigenvalues(random: Random): Question {
  const [first, second] = [random.between(1, 4), random.between(5, 9)]
  const upper = random.between(1, 6)
  return {
    ask: `Déterminer les valeurs propres de [${first}, ${upper} ; 0, ${second}]. La matrice est-elle diagonalisable ?`,
    answer: `La matrice est triangulaire : ses valeurs propres sont ${first} et ${second}. Elles sont distinctes, donc la matrice est diagonalisable.`,
  }
}

export const mathematics = {
  fractions,
  problems,
  equations,
  geometry,
  quadratics,
  sequences,
  matrices,
}
