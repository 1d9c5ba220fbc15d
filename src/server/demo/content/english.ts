import { fixed } from './topic.ts'

const present = fixed({
  language: 'en',
  heading: 'Present simple and present continuous',
  points: [
    'We use the present simple for habits and facts: “The sun rises in the east.”',
    'We use the present continuous for what is happening now: “She is reading a story.”',
    'In the present simple, the third person singular takes -s or -es: he plays, she watches.',
    'We form questions with do or does: “Do you live in Sfax?”',
    'Verbs such as know, like and want are not normally used in the continuous form.',
  ],
  questions: [
    {
      ask: 'Put the verb in the right form: “My father (drink) coffee every morning.”',
      answer: 'My father drinks coffee every morning.',
    },
    {
      ask: 'Put the verb in the right form: “Listen! Somebody (knock) at the door.”',
      answer: 'Listen! Somebody is knocking at the door.',
    },
    {
      ask: 'Make the sentence negative: “They go to school on Sunday.”',
      answer: 'They do not go to school on Sunday.',
    },
    {
      ask: 'Ask a question about the words in quotes: She lives “in Tunis”.',
      answer: 'Where does she live?',
    },
    { ask: 'Correct the mistake: “He is knowing the answer.”', answer: 'He knows the answer.' },
    {
      ask: 'Write three sentences about your daily routine.',
      answer: 'For example: I wake up at seven. I have breakfast. I walk to school.',
    },
  ],
})

const conditionals = fixed({
  language: 'en',
  heading: 'Conditionals and reported speech',
  points: [
    'Type 1: if + present simple, will + verb, for a possible future: “If it rains, we will stay at home.”',
    'Type 2: if + past simple, would + verb, for an unreal present: “If I had wings, I would fly.”',
    'Type 3: if + past perfect, would have + participle, for an unreal past: “If you had called, I would have come.”',
    'In reported speech the tense usually moves one step back: “I am tired” becomes “She said that she was tired.”',
    'Words of time and place change as well: tomorrow becomes the next day, here becomes there.',
  ],
  questions: [
    { ask: 'Complete: “If you (heat) ice, it melts.”', answer: 'If you heat ice, it melts.' },
    {
      ask: 'Complete: “If I (be) you, I would apologise.”',
      answer: 'If I were you, I would apologise.',
    },
    {
      ask: 'Complete: “If they had left earlier, they (catch) the train.”',
      answer: 'If they had left earlier, they would have caught the train.',
    },
    {
      ask: 'Report: “I will help you tomorrow,” said Amine.',
      answer: 'Amine said that he would help me the next day.',
    },
    { ask: 'Report: “Where do you live?” she asked me.', answer: 'She asked me where I lived.' },
    {
      ask: 'Write two sentences of type 2 about protecting the environment.',
      answer: 'For example: If people used less plastic, the sea would be cleaner.',
    },
  ],
})

export const english = { present, conditionals }
