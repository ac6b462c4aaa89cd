import { useCallback } from 'react'
import { session } from '../strings/session.ts'
import { Loading } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { HandOver } from './hand-over.tsx'
import { LoggedOut } from './logged-out.tsx'
import { Overlays } from './overlays.tsx'
import { isTabLocked } from './request.ts'
import { Routes } from './routes.tsx'
import { useSavedTheme } from './saved-theme.ts'
import { useSessionEnded } from './session.ts'
import { Shell } from './shell/shell.tsx'
import { useStatus } from './status.ts'
import { TabLocked } from './tab-locked.tsx'

/** The pages, for whoever is logged in and as long as the service answers. */
export function Dashboard() {
  const ended = useSessionEnded()
  const status = useStatus()
  const refetch = useCallback(() => void status.refetch(), [status.refetch])
  useSavedTheme(status.data !== undefined)

  if (ended) return <LoggedOut />
  if (status.data) {
    return (
      <Shell status={status.data}>
        <Routes />
        <Overlays />
        <HandOver />
      </Shell>
    )
  }
  if (status.isPending) return <Loading />
  if (isTabLocked(status.error)) return <TabLocked onUnlocked={refetch} />
  return (
    <Notice
      alert
      title={session.noAnswer}
      text={session.noAnswerText}
      command={session.startCommand}
      onRetry={() => status.refetch()}
    />
  )
}
