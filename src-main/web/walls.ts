import type { PageFault } from '../contract/page-details.ts'

interface Signs {
  /** Of `<title>` itself: what a wall says of the page behind it is of no use. */
  title: string
  asksPassword: boolean
  /** Where the page was asked for and where it came from. */
  asked: string
  url: string
}

/** Recognises a page that stands in front of another and answers as if it were that page. */
export function wallOf({ title, asksPassword, asked, url }: Signs): PageFault | undefined {
  if (HUMAN.test(title)) return 'wall'
  const led = ledToWall(asked, url)
  if (led) return led
  return !isLogin(new URL(asked)) && asksPassword && LOGIN_TITLE.test(title) ? 'login' : undefined
}

/** Recognises by the addresses that a redirect led to a wall instead of the page. */
export function ledToWall(asked: string, url: string): PageFault | undefined {
  const [from, to] = [new URL(asked), new URL(url)]
  if (/^consent\./.test(to.hostname) && !/^consent\./.test(from.hostname)) return 'wall'
  const moved = from.hostname !== to.hostname || from.pathname !== to.pathname
  return moved && isLogin(to) && !isLogin(from) ? 'login' : undefined
}

function isLogin({ pathname, hostname }: URL): boolean {
  return LOGIN_PATH.test(pathname) || LOGIN_HOST.test(hostname)
}

const HUMAN =
  /^(just a moment|attention required|access denied|access to this page has been denied|are you (a |not a )?(human|robot)|checking your browser|verify(ing)? (that )?you are (a )?human|please verify|robot check|bot verification|human verification|security check|ddos-guard|pardon our interruption|one more step|you have been blocked|403 forbidden)/i

const LOGIN_PATH = /\/(log-?in|sign-?in|signup|sign-up|sso|authwall|oauth2?|authorize)(\b|\/|\.|$)/i
const LOGIN_HOST = /^(login|accounts?|auth|sso|signin)\./i
const LOGIN_TITLE = /^(log ?in|sign ?in|anmelden|connexion)\b|\b(log ?in|sign ?in)$/i
