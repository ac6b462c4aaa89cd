import { useEffect } from 'react'
import { Notice } from '../shared/notice.tsx'
import { rememberOwnFolder, startCommand } from '../shared/own-folder.ts'
import { ApiProblem } from '../shared/request.ts'
import { useSessionEnded } from '../shared/session.ts'
import { useStatus } from '../shared/status.ts'
import { session } from '../strings/session.ts'
import { Loading } from '../ui/loading.tsx'
import { LoggedOut } from './logged-out.tsx'
import { Overlays } from './overlays.tsx'
import { Routes } from './routes.tsx'
import { useSavedTheme } from './saved-theme.ts'
import { Shell } from './shell/shell.tsx'

/** The pages, for whoever is logged in and as long as the service answers. */
export function Dashboard() {
  const ended = useSessionEnded()
  const status = useStatus()
  useSavedTheme(status.data !== undefined)
  const ownFolder = status.data?.ownFolder
  useEffect(() => {
    if (ownFolder !== undefined) rememberOwnFolder(ownFolder)
  }, [ownFolder])

  if (ended) return <LoggedOut />
  if (status.data) {
    return (
      <Shell status={status.data}>
        <Routes />
        <Overlays />
      </Shell>
    )
  }
  if (status.isPending) return <Loading />
  const onRetry = () => status.refetch()
  if (status.error instanceof ApiProblem)
    return <Notice alert title={session.failed} text={status.error.message} onRetry={onRetry} />
  return (
    <Notice alert title={session.noAnswer} text={session.noAnswerText} command={startCommand()} onRetry={onRetry} />
  )
}
