import { Home } from '../features/home/home.tsx'
import { Login } from '../features/login/login.tsx'

/** Chooses the view an address names. */
export function App({ path }: { path: string }) {
  return path === '/login' ? <Login /> : <Home />
}
