/**
 * Returns the long forms of a technical abbreviation (`k8s`: `kubernetes`), or the abbreviations of a word, each as a list
 * of words. Abbreviations with several meanings in programming, such as `cd` and `es`, are not in the list.
 *
 * @param word folded (`foldWord`)
 */
export function findAbbreviations(word: string): string[][] {
  return MEANINGS.get(word) ?? []
}

/** On each line an abbreviation and its long form. */
const PAIRS = `
a11y accessibility
admin administration
ai artificial intelligence
app application
apps applications
asm assembly
auth authentication
auth authorization
btn button
ci continuous integration
cli command line
cms content management system
config configuration
crm customer relationship management
ddd domain driven design
db database
dbs databases
dev development
dl deep learning
docs documentation
e2e end to end
env environment
eval evaluation
fp functional programming
gh github
gql graphql
gui graphical user interface
hpc high performance computing
i18n internationalization
iac infrastructure as code
img image
impl implementation
info information
iot internet of things
js javascript
k8s kubernetes
l10n localization
lib library
libs libraries
llm large language model
mfa multi factor authentication
ml machine learning
nlp natural language processing
nvim neovim
o11y observability
ocr optical character recognition
oop object oriented programming
orm object relational mapping
os operating system
oss open source
p2p peer to peer
perf performance
pg postgresql
pkg package
postgres postgresql
pwa progressive web app
py python
rb ruby
regex regular expression
regexp regular expression
repo repository
repos repositories
rl reinforcement learning
rn react native
ror ruby on rails
rpc remote procedure call
sklearn scikit learn
spa single page application
spec specification
ssg static site generator
sso single sign on
ssr server side rendering
stats statistics
stt speech to text
tdd test driven development
ts typescript
tts text to speech
ui user interface
ux user experience
vm virtual machine
vpn virtual private network
vscode visual studio code
wasm webassembly
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

const MEANINGS = new Map<string, string[][]>()
for (const [short = '', ...long] of PAIRS) {
  add(short, long)
  if (long.length === 1) add(long.join(), [short])
}

function add(word: string, words: string[]): void {
  MEANINGS.set(word, [...(MEANINGS.get(word) ?? []), words])
}
