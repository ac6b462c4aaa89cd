/** Told by the page: where the service cannot be asked, this must be known already. */
const packaged = 'packaged' in document.documentElement.dataset

const OPEN = 'open Earmark’s window.'
const LINK = 'open a terminal in Earmark’s folder, run this, and open the link it prints'

/** Logging in, being logged out, and a service that does not answer. */
export const session = {
  opening: 'Opening Earmark …',
  loggedOut: 'You are logged out',
  loggedOutText: `A session ends after 30 days without use, and 90 days after you logged in. To log in again, ${packaged ? OPEN : `${LINK}:`}`,
  elsewhere: 'Logged in already? The dashboard is at the address that ends in .localhost, not at this one.',
  failed: 'Earmark could not be opened',
  noAnswer: 'Earmark does not answer',
  noAnswerText: packaged
    ? 'Is it still running? Open it, then try again.'
    : 'Is it still running? Start it, then try again:',
  goneText:
    'You see what was loaded last. You can search, save and change things when it runs again. What you ' +
    `typed is kept. ${packaged ? 'Open Earmark to continue.' : 'To start it, run in its folder:'}`,
  newLink: packaged ? 'Open Earmark’s window instead.' : 'For a new link, open a terminal in Earmark’s folder and run:',
  noToken: { title: 'This is not a login link', text: 'Its address has no login token in it.' },
  used: { title: 'This link no longer works', text: 'A login link opens once, within ten minutes.' },
  unreachable: { title: 'Earmark does not answer', text: 'Start it, then open the login link again.' },
  /** The command to type in a terminal; the installed app needs none. */
  loginCommand: packaged ? undefined : 'npm run -s earmark -- login',
  startCommand: packaged ? undefined : 'npm start'
}
