// What both pages share.

export const byId = id => document.getElementById(id);

// refusal returns in words why the program refused what it was asked for.
export async function refusal(answer) {
  return answer.status === 401 ? 'reload this page to log in' : (await answer.text()).trim() || answer.statusText;
}

// A link with the token leads here at once where the browser is logged in: the token does not stay in the address.
if (location.hash.startsWith('#token=')) history.replaceState(null, '', location.pathname + location.search);
