// The token of a link stands after its "#": it is taken out of the address and sent with the form.
const link = location.hash.match(/^#token=(.+)$/);
if (link) {
  history.replaceState(null, '', location.pathname);
  document.getElementById('token').value = decodeURIComponent(link[1].replaceAll('+', ' '));
  document.forms[0].submit();
} else {
  document.forms[0].action += location.hash; // such as a position: it goes along with the redirections
}
