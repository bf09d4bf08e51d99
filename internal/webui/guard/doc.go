// Package guard keeps a local page to the people it is for. Both programs serve their pages through
// it: `tune run --listen` and `play web`.
//
// Open listens; Site.Serve puts these walls around a handler, in this order:
//
//   - Host: loopback names, the listen address and the names of --host alone, so a foreign name that was made to point
//     here (DNS rebinding) is refused with 421.
//   - Origin: a request that a page of another origin caused is refused with 403, whatever its
//     method; a plain link to a page is not.
//   - Size: request bodies end after MaxBody bytes.
//   - Token: where the address is not a loopback address, or a token is given, every path but the log-in
//     wants the token. A browser exchanges it on a small form for an HttpOnly, SameSite=Strict cookie that
//     does not hold it; programs send it as `Authorization: Bearer`. It is compared in constant
//     time, and written nowhere but into the links that the program shows to who started it.
//   - Headers: a content security policy under which a page loads from its own origin alone, runs no
//     inline script or style and assigns no HTML from strings.
//
// What a handler still has to do itself: change nothing on GET and HEAD, escape names and messages
// (html/template; textContent in scripts), and end when its request's context does, as event streams must.
package guard
