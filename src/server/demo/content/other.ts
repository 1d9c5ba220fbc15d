import { fixed } from './topic.ts'

const citizenship = fixed({
  language: 'ar',
  heading: 'التربية المدنيّة: الحقوق والواجبات',
  points: [
    'المواطن يتمتّع بحقوق ويقوم بواجبات، ولا تقوم الحياة الجماعيّة إلّا بهما معًا.',
    'من حقوق الطفل: التعليم، والصحّة، واللعب، والحماية من العنف.',
    'من واجبات التلميذ: احترام النظام الداخليّ، والمحافظة على أثاث المدرسة.',
    'الانتخاب وسيلة يختار بها الناس من يمثّلهم، ويكون الاقتراع سرّيًّا.',
    'علم تونس أحمر، في وسطه قرص أبيض فيه هلال ونجمة أحمران.',
  ],
  questions: [
    { ask: 'اذكر ثلاثة من حقوق الطفل.', answer: 'مثل التعليم، والصحّة، واللعب.' },
    { ask: 'صف علم تونس.', answer: 'أحمر، في وسطه قرص أبيض فيه هلال ونجمة أحمران.' },
    { ask: 'لماذا يكون الاقتراع سرّيًّا؟', answer: 'ليختار كلّ ناخب بحرّيّة ودون ضغط.' },
    {
      ask: 'كسر زميلك نافذة القسم دون قصد. ما التصرّف السليم؟',
      answer: 'أن يعترف بما حصل، وأن يساعد على إصلاح الضرر.',
    },
    {
      ask: 'ما الفرق بين الحقّ والواجب؟ أعط مثالًا لكلّ منهما.',
      answer: 'الحقّ ما لنا، كالتعليم؛ والواجب ما علينا، كاحترام القانون.',
    },
    { ask: 'كيف نختار مندوب القسم؟', answer: 'بانتخاب سرّيّ، والفائز من نال أكثر الأصوات.' },
  ],
})

const economy = fixed({
  language: 'fr',
  heading: 'L’entreprise et la croissance économique',
  points: [
    'L’entreprise combine travail et capital pour produire des biens et des services destinés à la vente.',
    'La valeur ajoutée est la différence entre la valeur de la production et celle des consommations intermédiaires.',
    'Le produit intérieur brut (PIB) est la somme des valeurs ajoutées créées sur le territoire.',
    'La croissance est l’augmentation durable de la production, mesurée par le taux de variation du PIB réel.',
    'La productivité du travail est le rapport entre la production et la quantité de travail utilisée.',
  ],
  questions: [
    {
      ask: 'Une entreprise vend pour 500 000 D et consomme 180 000 D de biens intermédiaires. Quelle est sa valeur ajoutée ?',
      answer: '500 000 − 180 000 = 320 000 D.',
    },
    {
      ask: 'Le PIB réel passe de 120 à 123 milliards. Calculer le taux de croissance.',
      answer: '(123 − 120) / 120 × 100 = 2,5 %.',
    },
    {
      ask: 'Dix ouvriers produisent 400 pièces par jour. Quelle est la productivité par ouvrier ?',
      answer: '400 / 10 = 40 pièces par jour et par ouvrier.',
    },
    {
      ask: 'Distinguer croissance et développement.',
      answer:
        'La croissance est quantitative ; le développement y ajoute des progrès sociaux et des changements de structure.',
    },
    {
      ask: 'Citer deux facteurs de la croissance.',
      answer: 'Par exemple l’investissement et le progrès technique.',
    },
    {
      ask: 'Pourquoi retire-t-on les consommations intermédiaires du calcul du PIB ?',
      answer: 'Pour ne pas compter deux fois la même production.',
    },
  ],
})

export const other = { citizenship, economy }
